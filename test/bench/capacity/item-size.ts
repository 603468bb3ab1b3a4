/**
 * Write units as AWS documents them, computed from the stored items: the engine's own report omits the writes
 * whose condition failed, which DynamoDB charges like any other.
 *
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
import { isDeepStrictEqual } from 'node:util';
import { type AttributeValue, DynamoDBClient, GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { defined } from '../../../functions/shared/contract/defined.ts';
import type { Key } from '../../../functions/shared/contract/keys.ts';
import {
  dueAttributes,
  type IndexName,
  indexes,
  listedAttributes,
} from '../../../functions/shared/contract/table-schema.ts';

type Attributes = Record<string, AttributeValue>;

/** Not the client of the functions, so that its calls are not metered. */
const client = new DynamoDBClient({});

/** The current item, or undefined. */
export async function itemAt({ pk, sk }: Key): Promise<Attributes | undefined> {
  const { Item } = await client.send(
    new GetItemCommand({
      TableName: process.env.TABLE_NAME,
      Key: { pk: { S: pk }, sk: { S: sk } },
      ConsistentRead: true,
    }),
  );
  return Item;
}

/** The bytes of all items of the table, by the prefix of their partition key. Indexes are not counted. */
export async function storedBytes(): Promise<Record<string, number>> {
  const bytes: Record<string, number> = {};
  let from: Attributes | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new ScanCommand({ TableName: process.env.TABLE_NAME, ...defined({ ExclusiveStartKey: from }) }),
    );
    for (const item of Items) {
      const prefix = item.pk?.S?.split('#', 1)[0] ?? '';
      bytes[prefix] = (bytes[prefix] ?? 0) + sizeOf(item);
    }
    from = LastEvaluatedKey;
  } while (from !== undefined);
  return bytes;
}

/** Units of one write: one per started KB of the larger of the item before and after. */
export function writeUnits(before: Attributes | undefined, after: Attributes | undefined): number {
  return Math.max(unitsOf(before), unitsOf(after));
}

/**
 * Units of what a write changes in the indexes: an entry that is added or removed is one write, one that moves is two,
 * and one that stays is one write if a projected attribute has changed.
 *
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html#LSI.ThroughputConsiderations.Writes
 */
export function indexUnits(before: Attributes | undefined, after: Attributes | undefined): number {
  return (Object.keys(indexes) as IndexName[]).reduce((sum, name) => {
    const was = entryOf(name, before);
    const is = entryOf(name, after);
    if (was === undefined && is === undefined) return sum;
    if (was === undefined || is === undefined) return sum + unitsOf(was?.held ?? is?.held);
    if (was.position !== is.position) return sum + unitsOf(was.held) + unitsOf(is.held);
    return isDeepStrictEqual(was.held, is.held) ? sum : sum + writeUnits(was.held, is.held);
  }, 0);
}

/** Indexes that do not project the whole item, and the attributes that they project in addition to the keys. */
const projected: Partial<Record<IndexName, readonly string[]>> = {
  byLink: [],
  byName: [],
  due: dueAttributes,
  listed: listedAttributes,
};

/** The entry of an item in an index, with its position; undefined for an item that is not in the index. */
function entryOf(name: IndexName, item: Attributes | undefined) {
  const names = Object.values(indexes[name]);
  if (item === undefined || names.some((one) => item[one] === undefined)) return undefined;
  const shown = ['pk', 'sk', ...names, ...(projected[name] ?? [])];
  const part = Object.fromEntries(Object.entries(item).filter(([one]) => shown.includes(one)));
  return { position: JSON.stringify(names.map((one) => item[one])), held: name in projected ? part : item };
}

const unitsOf = (item: Attributes = {}) => Math.max(1, Math.ceil(sizeOf(item) / 1024));

/** The bytes of an item, its attribute names included. */
export function sizeOf(attributes: Attributes): number {
  return Object.entries(attributes).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOf(value),
    0,
  );
}

function bytesOf({ S, N, B, M, L }: AttributeValue): number {
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return Math.ceil(N.replaceAll(/\D/g, '').length / 2) + 1;
  if (B !== undefined) return B.length;
  if (M !== undefined) return 3 + Object.keys(M).length + sizeOf(M);
  if (L !== undefined) return L.reduce((sum, value) => sum + 1 + bytesOf(value), 3);
  return 1;
}
