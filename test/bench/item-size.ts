/**
 * Write units as AWS documents them, computed from what is stored: an engine's own report leaves out the writes
 * whose condition was refused, which DynamoDB charges like any other.
 *
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
import { type AttributeValue, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Key } from '../../functions/shared/keys.ts';

/** One of our own: what it asks is not metered. */
const client = new DynamoDBClient({});

/** Units of one write to that item as it is now: one per KB begun, one when there is none. */
export async function unitsOf({ pk, sk }: Key): Promise<number> {
  const { Item } = await client.send(
    new GetItemCommand({
      TableName: process.env.TABLE_NAME,
      Key: { pk: { S: pk }, sk: { S: sk } },
      ConsistentRead: true,
    }),
  );
  return Math.max(1, Math.ceil(sizeOf(Item ?? {}) / 1024));
}

function sizeOf(attributes: Record<string, AttributeValue>): number {
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
