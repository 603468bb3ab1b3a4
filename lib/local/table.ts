import { randomBytes } from 'node:crypto';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  type GlobalSecondaryIndex,
  PutItemCommand,
  ResourceInUseException,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Key } from '../../functions/shared/contract/keys.ts';
import {
  dueAttributes,
  indexes,
  listedAttributes,
  streamView,
  tableSchema,
} from '../../functions/shared/contract/table-schema.ts';
import { secondMs } from '../../functions/shared/runtime/duration.ts';

const hashKey = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' as const });
const rangeKey = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' as const });

const globalIndexes: readonly GlobalSecondaryIndex[] = [
  {
    IndexName: 'queue',
    KeySchema: [hashKey(indexes.queue.partitionKey), rangeKey(indexes.queue.sortKey)],
    Projection: { ProjectionType: 'ALL' },
  },
  {
    IndexName: 'byLink',
    KeySchema: [hashKey(indexes.byLink.partitionKey)],
    Projection: { ProjectionType: 'KEYS_ONLY' },
  },
  {
    IndexName: 'byName',
    KeySchema: [hashKey(indexes.byName.partitionKey), rangeKey(indexes.byName.sortKey)],
    Projection: { ProjectionType: 'KEYS_ONLY' },
  },
  {
    IndexName: 'due',
    KeySchema: [hashKey(indexes.due.partitionKey), rangeKey(indexes.due.sortKey)],
    Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...dueAttributes] },
  },
  {
    IndexName: 'listed',
    KeySchema: [hashKey(indexes.listed.partitionKey), rangeKey(indexes.listed.sortKey)],
    Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...listedAttributes] },
  },
];

const stream = { StreamEnabled: true, StreamViewType: streamView } as const;

/**
 * Creates the table with the keys of `tableSchema`, its `indexes` and its stream, on demand, and waits until it is active.
 * An existing table that is older than some indexes gets them.
 *
 * @param endpoint base URL of the DynamoDB engine.
 * @returns the ARN of the stream.
 */
export async function createTable(endpoint: string, tableName: string): Promise<string> {
  const dynamodb = connect(endpoint);
  try {
    await dynamodb.send(
      new CreateTableCommand({
        TableName: tableName,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [hashKey(tableSchema.partitionKey), rangeKey(tableSchema.sortKey)],
        AttributeDefinitions: attributes([
          tableSchema.partitionKey,
          tableSchema.sortKey,
          ...Object.values(indexes).flatMap(Object.values),
        ]),
        LocalSecondaryIndexes: [
          {
            IndexName: 'byStatus',
            KeySchema: [hashKey(tableSchema.partitionKey), rangeKey(indexes.byStatus.sortKey)],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
        GlobalSecondaryIndexes: [...globalIndexes],
        StreamSpecification: stream,
      }),
    );
    await waitUntilTableExists(
      { client: dynamodb, minDelay: 1, maxDelay: 1, maxWaitTime: 10 },
      { TableName: tableName },
    );
    await dynamodb.send(
      new UpdateTimeToLiveCommand({
        TableName: tableName,
        TimeToLiveSpecification: { AttributeName: tableSchema.timeToLive, Enabled: true },
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    await addIndexes(dynamodb, tableName);
  }
  try {
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: tableName }));
    if (Table?.LatestStreamArn === undefined) throw new Error(`The table ${tableName} has no stream`);
    return Table.LatestStreamArn;
  } finally {
    dynamodb.destroy();
  }
}

/** One at a time: DynamoDB accepts one new index per call. */
async function addIndexes(dynamodb: DynamoDBClient, TableName: string): Promise<void> {
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
  const existing = new Set(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  for (const index of globalIndexes.filter(({ IndexName }) => !existing.has(IndexName))) {
    const AttributeDefinitions = attributes(
      (index.KeySchema ?? []).map(({ AttributeName = '' }) => AttributeName),
    );
    const GlobalSecondaryIndexUpdates = [{ Create: index }];
    await dynamodb.send(
      new UpdateTableCommand({ TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates }),
    );
    await waitUntilTableExists(
      { client: dynamodb, minDelay: 1, maxDelay: 1, maxWaitTime: 60 },
      { TableName },
    );
  }
}

const attributes = (names: readonly string[]) =>
  [...new Set(names)].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const }));

/** Whether the table has an item with this key, and with this attribute if one is named. */
export async function itemExists(
  endpoint: string,
  tableName: string,
  key: Key,
  attribute: string = tableSchema.partitionKey,
): Promise<boolean> {
  const dynamodb = connect(endpoint);
  try {
    const { Item } = await dynamodb.send(
      new GetItemCommand({
        TableName: tableName,
        Key: {
          [tableSchema.partitionKey]: { S: key.pk },
          [tableSchema.sortKey]: { S: key.sk },
        },
        ConsistentRead: true,
      }),
    );
    return Item?.[attribute] !== undefined;
  } finally {
    dynamodb.destroy();
  }
}

/** Writes an item. @param item plain values. */
export async function putItem(endpoint: string, tableName: string, item: object): Promise<void> {
  const dynamodb = connect(endpoint);
  try {
    await dynamodb.send(new PutItemCommand({ TableName: tableName, Item: marshall(item) }));
  } finally {
    dynamodb.destroy();
  }
}

/**
 * Writes an item and reads it back.
 *
 * @throws the error of the engine; Error when it does not answer in time, or has not kept the item.
 */
export async function writeAndRead({
  endpoint,
  tableName,
  key: { pk, sk },
  bytes,
  timeoutMs,
}: {
  endpoint: string;
  tableName: string;
  key: Key;
  bytes: number;
  timeoutMs: number;
}): Promise<void> {
  const dynamodb = connect(endpoint);
  const abortSignal = AbortSignal.timeout(timeoutMs);
  const Key = { [tableSchema.partitionKey]: { S: pk }, [tableSchema.sortKey]: { S: sk } };
  const written = randomBytes(bytes / 2).toString('hex');
  try {
    const Item = Object.assign({ written: { S: written } }, Key);
    await dynamodb.send(new PutItemCommand({ TableName: tableName, Item }), { abortSignal });
    const get = new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true });
    const read = await dynamodb.send(get, { abortSignal });
    if (read.Item?.written?.S !== written)
      throw new Error('The DynamoDB engine has not kept what was written');
  } catch (error) {
    if (!abortSignal.aborted) throw error;
    throw new Error(`The DynamoDB engine has not answered within ${timeoutMs / secondMs} seconds`, {
      cause: error,
    });
  } finally {
    dynamodb.destroy();
  }
}

/** A client of the engine. Destroy it after use. */
export function connect(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    region: process.env.AWS_REGION ?? 'eu-west-1',
    credentials: {
      accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? 'local',
      secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? 'local',
    },
  });
}
