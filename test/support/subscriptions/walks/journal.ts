/** The journal of a walk, as hledger reads it, beside what the API says. */
import { isDeepStrictEqual } from 'node:util';
import { call } from '../../call.ts';
import { balancesOf, complaintOf, hasHledger } from '../../journal/hledger.ts';
import { journalPages } from '../../journal/pages.ts';
import { asSeller, good } from '../requests.ts';
import type { Books } from './books.ts';
import type { World } from './world.ts';

type Balances = Record<string, string>;

/** The errors of the journal, in sentences; empty when hledger accepts it, and its balances are those of the records. */
export async function faultsOfJournal({ seller }: World, books: Books): Promise<string[]> {
  if (!hasHledger) return [];
  const journal = (await journalPages(seller, { format: 'hledger' })).join('\n');
  const complaint = complaintOf(journal);
  if (complaint !== '') return [complaint];
  const balances = balancesOf(journal);
  const expected = { ...(await receivables(seller)), ...credit(books) };
  const stated = Object.fromEntries(
    Object.entries(balances).filter(([account]) => /^assets:receivable:|^liabilities:credit:/.test(account)),
  );
  if (isDeepStrictEqual(stated, expected)) return [];
  return [`The journal has ${JSON.stringify(stated)}, the records have ${JSON.stringify(expected)}`];
}

/** What is due of each invoice, as the list of invoices says. */
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

/** The credit of each client. */
function credit({ clients }: Books): Balances {
  const sums = clients.flatMap(({ externalId, credit = {} }) =>
    Object.entries<number>(credit)
      .filter(([, minor]) => minor !== 0)
      .map(([currency, minor]) => [
        `liabilities:credit:${encodeURIComponent(externalId)} ${currency}`,
        (-minor / 100).toFixed(2),
      ]),
  );
  return Object.fromEntries(sums);
}
