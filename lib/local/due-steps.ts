import { GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import * as keys from '../../functions/shared/contract/keys.ts';
import { dueShards, type Key } from '../../functions/shared/contract/keys.ts';
import { indexes, tableSchema } from '../../functions/shared/contract/table-schema.ts';
import { connect } from './table.ts';

const StoredStep = z.object({ dueAt: z.iso.datetime(), timer: z.object({ step: z.string() }) });

/** The step that a subscription waits for. */
export interface DueStep {
  /** As the machine names it: `trial_end`. */
  step: string;
  /** Epoch milliseconds. */
  dueMs: number;
}

function stepOf(item: Parameters<typeof unmarshall>[0] | undefined): DueStep | undefined {
  const stored = item && StoredStep.safeParse(unmarshall(item)).data;
  return stored && { step: stored.timer.step, dueMs: Date.parse(stored.dueAt) };
}

/** The next step of one subscription; undefined when it waits for none. @param endpoint base URL of the DynamoDB engine. */
export async function nextStepOf(
  endpoint: string,
  tableName: string,
  { pk, sk }: Key,
): Promise<DueStep | undefined> {
  const dynamodb = connect(endpoint);
  try {
    const Key = { [tableSchema.partitionKey]: { S: pk }, [tableSchema.sortKey]: { S: sk } };
    const read = new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true });
    return stepOf((await dynamodb.send(read)).Item);
  } finally {
    dynamodb.destroy();
  }
}

/** The earliest step of all subscriptions, by the index `due`; undefined when none waits. */
export async function earliestStep(endpoint: string, tableName: string): Promise<DueStep | undefined> {
  const dynamodb = connect(endpoint);
  try {
    const queries = Array.from({ length: dueShards }, (_, shard) =>
      dynamodb.send(
        new QueryCommand({
          TableName: tableName,
          IndexName: 'due',
          KeyConditionExpression: '#due = :shard',
          ExpressionAttributeNames: { '#due': indexes.due.partitionKey },
          ExpressionAttributeValues: { ':shard': { S: keys.timerPartition(shard) } },
          Limit: 1,
        }),
      ),
    );
    const first = (await Promise.all(queries)).flatMap(({ Items = [] }) => stepOf(Items[0]) ?? []);
    return first.toSorted((a, b) => a.dueMs - b.dueMs).at(0);
  } finally {
    dynamodb.destroy();
  }
}
