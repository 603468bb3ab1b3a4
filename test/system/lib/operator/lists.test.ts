/** The records of the last release, put into the index of lists. */
import { randomUUID } from 'node:crypto';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { createTable } from '../../../../lib/local/table.ts';
import { lastRelease, loadTable, readFixture } from '../../../upgrade/fixture.ts';
import { operateHere } from './program.ts';

const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '';
// As release 0.1.0 left them: without a place in the index.
const items = readFixture(lastRelease).items.map(({ list: _, listedAt: __, listed: ___, ...item }) => item);
let tableName: string;

beforeEach(async () => {
  tableName = `lists-${randomUUID()}`;
  await createTable(endpoint, tableName);
  await loadTable(tableName, items);
});

/** All items of the table, or of its index. */
async function stored(IndexName?: 'listed'): Promise<Record<string, unknown>[]> {
  const client = new DynamoDBClient({ endpoint });
  const found: Record<string, unknown>[] = [];
  const input = IndexName === undefined ? { TableName: tableName } : { TableName: tableName, IndexName };
  for await (const { Items = [] } of paginateScan({ client }, input))
    found.push(...Items.map((one) => unmarshall(one)));
  client.destroy();
  return found;
}

/** The records that lists show, by the kind of their list. */
function kindOf({ pk, sk, amountMinor }: Record<string, unknown>): string | undefined {
  switch (`${String(pk).split('#')[0]} ${String(sk).split('#')[0]}`) {
    case 'CLIENT CLIENT':
      return 'client';
    case 'CLIENT SUB':
      return 'subscription';
    case 'SUBSCRIPTION INVOICE':
      return 'invoice';
    case 'SUBSCRIPTION CREDITNOTE':
      return 'credit_note';
    // Release 0.1.0 stored no amount.
    case 'PAYMENT PAYMENT':
      return amountMinor === undefined ? undefined : 'payment';
    default:
      return undefined;
  }
}

/** Runs the command. */
const run = (...args: string[]) => operateHere(['lists', 'backfill', ...args], {});

test('lists every subscription, invoice, credit note, payment and client of the last release, and nothing else', async () => {
  const former = { pk: { S: 'PAYMENT#former' }, sk: { S: 'PAYMENT' }, status: { S: 'applied' } };
  await loadTable(tableName, [former]);
  const expected = (await stored()).flatMap((item) => kindOf(item) ?? []).toSorted();
  expect(new Set(expected).size).toBe(5);
  const { code, out } = await run('--table', tableName, '--json');
  expect([code, JSON.parse(out)]).toEqual([
    0,
    expect.objectContaining({ listed: expected.length, changedMeanwhile: 0 }),
  ]);
  const index = await stored('listed');
  expect(index.map(({ list }) => String(list).split('#')[2]).toSorted()).toEqual(expected);
});
