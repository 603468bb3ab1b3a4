/** The journal in the format of hledger. https://hledger.org/hledger.html#journal */
import { amountText } from '../shared/lists/csv.ts';
import { decimalsOf } from '../shared/money/money.ts';
import type { RecordResponse } from './schemas.ts';

export const hledgerType = 'text/plain; charset=utf-8';

type EntryResponse = RecordResponse['entries'][number];
type PostingResponse = EntryResponse['postings'][number];

/** The first part of a name says the type of an account. */
const parents = {
  bank: 'assets',
  gateway: 'assets',
  receivable: 'assets',
  credit: 'liabilities',
  unallocated: 'liabilities',
  tax: 'liabilities',
  revenue: 'income',
  write_off: 'expenses',
} as const satisfies Record<PostingResponse['account'], string>;

/** The transactions of a record, with the commodities and the accounts that they name. */
interface Transactions {
  readonly text: string;
  readonly currencies: readonly string[];
  readonly accounts: readonly string[];
}

/**
 * A record as transactions. Credit has an account of each client, what waits one of each payment, receivables one of each
 * invoice, and tax one of each country and rate.
 */
export function toTransactions(record: RecordResponse): Transactions {
  const { entries } = record;
  return {
    text: entries.map((entry) => transactionOf(record, entry)).join('\n'),
    currencies: entries.map(({ currency }) => currency),
    accounts: entries.flatMap((entry) =>
      entry.postings.map((posting) => accountName(posting, entry, record.externalId)),
    ),
  };
}

/** The transactions as a journal, with the directives that `hledger check --strict` needs. */
export function toHledger(records: readonly Transactions[]): string {
  const named = (names: readonly string[]) => [...new Set(names)].toSorted();
  const directives = [
    ...named(records.flatMap(({ currencies }) => currencies)).map(
      (currency) => `commodity ${currency} ${sampleOf(currency)}`,
    ),
    ...named(records.flatMap(({ accounts }) => accounts)).map((account) => `account ${account}`),
  ];
  return [...directives, '', ...records.map(({ text }) => text)].join('\n');
}

/** Numbers of a commodity need a decimal mark. */
const sampleOf = (currency: string) => `1.${'0'.repeat(decimalsOf(currency))}`;

function transactionOf(record: RecordResponse, entry: EntryResponse): string {
  const tags = {
    client: record.externalId,
    subscription: record.subscriptionId,
    payment: entry.paymentId,
    late: entry.lateFor,
  };
  const comment = Object.entries(tags).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}:${safe(value)}`],
  );
  const postings = entry.postings.map((posting) => {
    const amount = `${entry.currency} ${amountText(posting.amount, entry.currency)}`;
    return `    ${accountName(posting, entry, record.externalId)}  ${amount}\n`;
  });
  // The secondary date: `hledger --date2` reports by it.
  const dates = entry.valueDate === undefined ? record.day : `${record.day}=${entry.valueDate}`;
  const title = `${dates} (${record._id}) ${entry.kind}`;
  return `${[title, comment.join(', ')].filter((part) => part !== '').join('  ; ')}\n${postings.join('')}`;
}

function accountName(
  { account, invoice, country, percent }: PostingResponse,
  { paymentId }: EntryResponse,
  client: string | undefined,
): string {
  const name = `${parents[account]}:${account}`;
  switch (account) {
    case 'receivable':
      return `${name}:${safe(invoice ?? 'unknown')}`;
    case 'credit':
      return `${name}:${safe(client ?? 'unknown')}`;
    case 'unallocated':
      return `${name}:${safe(paymentId ?? 'unknown')}`;
    case 'tax':
      return `${name}:${country} ${percent}%`;
    default:
      return name;
  }
}

/** A text without the characters that end a name or a tag: it is percent-encoded. */
const safe = (text: string) => encodeURIComponent(text.toWellFormed());
