/**
 * Write units as AWS documents them, computed from what is stored: an engine's own report leaves out the writes
 * whose condition was refused, which DynamoDB charges like any other.
 *
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
import { isDeepStrictEqual } from 'node:util';
import { type AttributeValue, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { dueAttributes, type IndexName, indexes, type Key } from '../../../functions/shared/contract/keys.ts';

type Attributes = Record<string, AttributeValue>;

/** One of our own: what it asks is not metered. */
const client = new DynamoDBClient({});

/** That item as it is now; undefined when there is none. */
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

/** Units of one write: of the larger of the item before and after it, one per KB begun. */
export function writeUnits(before: Attributes | undefined, after: Attributes | undefined): number {
  return Math.max(unitsOf(before), unitsOf(after));
}

/**
 * Units of what a write changes in the indexes: what comes or goes is one write, what moves two, and what stays where
 * it is one when anything changed that the index holds.
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

/** Indexes that do not hold the whole item, and what they hold beside the keys. */
const projected: Partial<Record<IndexName, readonly string[]>> = { byLink: [], due: dueAttributes };

/** What an index holds of an item that has its attributes, and where. */
function entryOf(name: IndexName, item: Attributes | undefined) {
  const names = Object.values(indexes[name]);
  if (item === undefined || names.some((one) => item[one] === undefined)) return undefined;
  const shown = ['pk', 'sk', ...names, ...(projected[name] ?? [])];
  const part = Object.fromEntries(Object.entries(item).filter(([one]) => shown.includes(one)));
  return { position: JSON.stringify(names.map((one) => item[one])), held: name in projected ? part : item };
}

const unitsOf = (item: Attributes = {}) => Math.max(1, Math.ceil(sizeOf(item) / 1024));

function sizeOf(attributes: Attributes): number {
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
