import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type GlobalSecondaryIndex,
  ResourceInUseException,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from '../../functions/shared/contract/keys.ts';
import {
  dueAttributes,
  indexes,
  listedAttributes,
  streamView,
  tableSchema,
} from '../../functions/shared/contract/table-schema.ts';

/** The table of a stack, for what no handler does. */
export interface LocalTable {
  readonly name: string;
  get(key: Key, abortSignal?: AbortSignal): Promise<Record<string, unknown> | undefined>;
  hasAll(keys: readonly Key[]): Promise<boolean>;
  put(item: object, abortSignal?: AbortSignal): Promise<void>;
  firstDue(partition: string): Promise<Record<string, unknown> | undefined>;
  close(): void;
}

/** @param endpoint base URL of the DynamoDB engine. */
export function openTable(endpoint: string, TableName: string): LocalTable {
  const client = DynamoDBDocumentClient.from(connect(endpoint));
  const get = async (Key: Key, abortSignal?: AbortSignal) => {
    const command = new GetCommand({ TableName, Key, ConsistentRead: true });
    return (await client.send(command, abortSignal && { abortSignal })).Item;
  };
  return {
    name: TableName,
    get,
    hasAll: async (keys) => (await Promise.all(keys.map((key) => get(key)))).every(Boolean),
    async put(item, abortSignal) {
      const put = new PutCommand({ TableName, Item: Object.assign({}, item) });
      await client.send(put, abortSignal && { abortSignal });
    },
    async firstDue(partition) {
      const query = new QueryCommand({
        TableName,
        IndexName: 'due',
        KeyConditionExpression: '#due = :partition',
        ExpressionAttributeNames: { '#due': indexes.due.partitionKey },
        ExpressionAttributeValues: { ':partition': partition },
        Limit: 1,
      });
      return (await client.send(query)).Items?.[0];
    },
    close: () => client.destroy(),
  };
}

const hashKey = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' as const });
const rangeKey = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' as const });
const keysOnly = { ProjectionType: 'KEYS_ONLY' } as const;
const including = (attributes: readonly string[]) => ({
  ProjectionType: 'INCLUDE' as const,
  NonKeyAttributes: [...attributes],
});

const projections = {
  queue: { ProjectionType: 'ALL' as const },
  byLink: keysOnly,
  byName: keysOnly,
  due: including(dueAttributes),
  listed: including(listedAttributes),
};

const globalIndexes = Object.entries(projections).map(([IndexName, Projection]): GlobalSecondaryIndex => {
  const { partitionKey, ...sorted } = indexes[IndexName as keyof typeof projections];
  const sortKeys = Object.values(sorted).map(rangeKey);
  return { IndexName, KeySchema: [hashKey(partitionKey), ...sortKeys], Projection };
});

/**
 * Creates the table with the keys of `tableSchema`, its `indexes` and its stream, on demand, and waits until it is active.
 * An existing table that is older than some indexes gets them.
 *
 * @param endpoint base URL of the DynamoDB engine.
 * @returns the ARN of the stream.
 */
export async function createTable(endpoint: string, TableName: string): Promise<string> {
  const dynamodb = connect(endpoint);
  try {
    await createOrComplete(dynamodb, TableName);
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
    if (Table?.LatestStreamArn === undefined) throw new Error(`The table ${TableName} has no stream`);
    return Table.LatestStreamArn;
  } finally {
    dynamodb.destroy();
  }
}

async function createOrComplete(dynamodb: DynamoDBClient, TableName: string): Promise<void> {
  const { partitionKey, sortKey, timeToLive } = tableSchema;
  const create = new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [hashKey(partitionKey), rangeKey(sortKey)],
    AttributeDefinitions: texts([partitionKey, sortKey, ...Object.values(indexes).flatMap(Object.values)]),
    LocalSecondaryIndexes: [
      {
        IndexName: 'byStatus',
        KeySchema: [hashKey(partitionKey), rangeKey(indexes.byStatus.sortKey)],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    GlobalSecondaryIndexes: globalIndexes,
    StreamSpecification: { StreamEnabled: true, StreamViewType: streamView },
  });
  try {
    await dynamodb.send(create);
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    return addIndexes(dynamodb, TableName);
  }
  await untilActive(dynamodb, TableName);
  const TimeToLiveSpecification = { AttributeName: timeToLive, Enabled: true };
  await dynamodb.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

/** One at a time: DynamoDB accepts one new index per call. */
async function addIndexes(dynamodb: DynamoDBClient, TableName: string): Promise<void> {
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
  const existing = new Set(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  for (const index of globalIndexes.filter(({ IndexName }) => !existing.has(IndexName))) {
    const AttributeDefinitions = texts(
      (index.KeySchema ?? []).map(({ AttributeName = '' }) => AttributeName),
    );
    const GlobalSecondaryIndexUpdates = [{ Create: index }];
    await dynamodb.send(
      new UpdateTableCommand({ TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates }),
    );
    await untilActive(dynamodb, TableName);
  }
}

const untilActive = (client: DynamoDBClient, TableName: string) =>
  waitUntilTableExists({ client, minDelay: 1, maxDelay: 1, maxWaitTime: 60 }, { TableName });

const texts = (names: readonly string[]) =>
  [...new Set(names)].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const }));

function connect(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    region: process.env.AWS_REGION ?? 'eu-west-1',
    credentials: {
      accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? 'local',
      secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? 'local',
    },
  });
}
