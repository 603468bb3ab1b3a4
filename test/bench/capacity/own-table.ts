import { randomUUID } from 'node:crypto';
import { createTable } from '../../../lib/local/table.ts';

/** Runs work in a new, empty table. */
export async function inOwnTable<T>(work: () => Promise<T>): Promise<T> {
  const { TABLE_NAME: shared = '' } = process.env;
  process.env.TABLE_NAME = `${shared}-${randomUUID().slice(0, 8)}`;
  try {
    await createTable(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '', process.env.TABLE_NAME);
    return await work();
  } finally {
    process.env.TABLE_NAME = shared;
  }
}
