import { randomUUID } from 'node:crypto';
import { createTable } from '../../../lib/local/table.ts';

/** Gives the tests of a file a table of their own: a queue or an index of due work is one for all applications of a table. */
export function onOwnTable(name: string): void {
  const { TABLE_NAME: shared = '' } = process.env;
  beforeAll(async () => {
    process.env.TABLE_NAME = `${name}-${randomUUID()}`;
    await createTable(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '', process.env.TABLE_NAME);
  });
  afterAll(() => {
    process.env.TABLE_NAME = shared;
  });
}
