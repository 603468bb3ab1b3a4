import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  type GlobalSecondaryIndex,
  ResourceInUseException,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { dueAttributes, indexes, type Key, tableSchema } from '../../functions/shared/contract/keys.ts';

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
    IndexName: 'due',
    KeySchema: [hashKey(indexes.due.partitionKey), rangeKey(indexes.due.sortKey)],
    Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...dueAttributes] },
  },
];

/**
 * Creates the table with the keys of `tableSchema` and its `indexes`, on demand, and waits until it can be used; an existing one
 * gets the indexes that it has not: it may be older than they are.
 *
 * @param endpoint Base URL of the engine.
 */
export async function createTable(endpoint: string, tableName: string): Promise<void> {
  const client = clientFor(endpoint);
  try {
    await client.send(
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
      }),
    );
    await waitUntilTableExists(
      { client, minDelay: 1, maxDelay: 1, maxWaitTime: 10 },
      { TableName: tableName },
    );
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: tableName,
        TimeToLiveSpecification: { AttributeName: tableSchema.timeToLive, Enabled: true },
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    await addIndexes(client, tableName);
  } finally {
    client.destroy();
  }
}

/** One at a time: DynamoDB takes no two in one call. */
async function addIndexes(client: DynamoDBClient, TableName: string): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const there = new Set(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  for (const index of globalIndexes.filter(({ IndexName }) => !there.has(IndexName))) {
    const AttributeDefinitions = attributes(
      (index.KeySchema ?? []).map(({ AttributeName = '' }) => AttributeName),
    );
    const GlobalSecondaryIndexUpdates = [{ Create: index }];
    await client.send(
      new UpdateTableCommand({ TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates }),
    );
    await waitUntilTableExists({ client, minDelay: 1, maxDelay: 1, maxWaitTime: 60 }, { TableName });
  }
}

const attributes = (names: readonly string[]) =>
  [...new Set(names)].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const }));

/** Whether the table holds an item under that key. */
export async function itemExists(endpoint: string, tableName: string, key: Key): Promise<boolean> {
  const client = clientFor(endpoint);
  try {
    const { Item } = await client.send(
      new GetItemCommand({
        TableName: tableName,
        Key: {
          [tableSchema.partitionKey]: { S: key.pk },
          [tableSchema.sortKey]: { S: key.sk },
        },
        ConsistentRead: true,
      }),
    );
    return Item !== undefined;
  } finally {
    client.destroy();
  }
}

function clientFor(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    region: process.env.AWS_REGION ?? 'eu-west-1',
    credentials: {
      accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? 'local',
      secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? 'local',
    },
  });
}
