/** The journal of a walk, as hledger reads it, beside the records. */
import { isDeepStrictEqual } from 'node:util';
import { call } from '../../call.ts';
import { balancesOf, complaintOf, hasHledger } from '../../journal/hledger.ts';
import { journalPages } from '../../journal/pages.ts';
import { asSeller, good } from '../requests.ts';
import { type Balances, balancesOfRecords } from './balances.ts';
import type { Books } from './books.ts';
import type { World } from './world.ts';

/** The errors of the journal, in sentences; empty when hledger accepts it, and its balances are those of the records. */
export async function faultsOfJournal({ seller }: World, books: Books): Promise<string[]> {
  if (!hasHledger) return [];
  const journal = (await journalPages(seller, { format: 'hledger' })).join('\n');
  const complaint = complaintOf(journal);
  if (complaint !== '') return [complaint];
  const balances = balancesOf(journal);
  const expected = { ...(await receivables(seller)), ...balancesOfRecords(books) };
  if (isDeepStrictEqual(balances, expected)) return [];
  return [`The journal has ${JSON.stringify(balances)}, the records have ${JSON.stringify(expected)}`];
}

/** The amount due of each invoice, by the list of invoices. */
async function receivables(seller: World['seller']): Promise<Balances> {
  const due: Balances = {};
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? {} : { cursor };
    const page = good(await call('invoices.list', { headers: asSeller(seller), query }));
    for (const { number, amountDue, currency } of page.invoices)
      if (amountDue !== 0) due[`assets:receivable:${number} ${currency}`] = amountDue.toFixed(2);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return due;
}
