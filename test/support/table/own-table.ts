import { randomUUID } from 'node:crypto';
import { DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { createTable } from '../../../lib/local/table.ts';

/** Gives the tests of a file a table of their own: a queue or an index of due work is one for all applications of a table. */
export function onOwnTable(name: string): void {
  const { TABLE_NAME: shared = '' } = process.env;
  beforeAll(async () => {
    process.env.TABLE_NAME = `${name}-${randomUUID()}`;
    await createTableOfTests(process.env.TABLE_NAME);
  });
  afterAll(() => {
    process.env.TABLE_NAME = shared;
  });
}

/** Creates a table without a stream, which no handler reads: to keep its records is an eighth of the work of the engine. */
export async function createTableOfTests(TableName: string): Promise<void> {
  await createTable(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '', TableName);
  const client = new DynamoDBClient();
  await client.send(new UpdateTableCommand({ TableName, StreamSpecification: { StreamEnabled: false } }));
  client.destroy();
}
