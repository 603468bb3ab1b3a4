/** The journal in the format of hledger. https://hledger.org/hledger.html#journal */
import { amountText } from '../shared/lists/amount-text.ts';
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

/**
 * The records as transactions, with the directives that `hledger check --strict` needs. Credit and what waits have an account
 * of each client, receivables one of each invoice, and tax one of each country and rate.
 */
export function toHledger(records: readonly RecordResponse[]): string {
  const accounts = new Set<string>();
  const currencies = new Set<string>();
  const transactions = records.flatMap((record) =>
    record.entries.map((entry) => {
      currencies.add(entry.currency);
      return transactionOf(record, entry, accounts);
    }),
  );
  const directives = [
    ...[...currencies].toSorted().map((currency) => `commodity ${currency} ${sampleOf(currency)}`),
    ...[...accounts].toSorted().map((account) => `account ${account}`),
  ];
  return [...directives, '', ...transactions].join('\n');
}

/** Numbers of a commodity need a decimal mark. */
const sampleOf = (currency: string) => `1.${'0'.repeat(decimalsOf(currency))}`;

function transactionOf(record: RecordResponse, entry: EntryResponse, accounts: Set<string>): string {
  const tags = { client: record.externalId, subscription: record.subscriptionId, payment: entry.paymentId };
  const comment = Object.entries(tags).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}:${safe(value)}`],
  );
  const postings = entry.postings.map((posting) => {
    const account = accountName(posting, record.externalId);
    accounts.add(account);
    return `    ${account}  ${entry.currency} ${amountText(posting.amount, entry.currency)}\n`;
  });
  const title = `${record.day} (${record._id}) ${entry.kind}`;
  return `${[title, comment.join(', ')].filter((part) => part !== '').join('  ; ')}\n${postings.join('')}`;
}

function accountName({ account, invoice, country, percent }: PostingResponse, client?: string): string {
  const name = `${parents[account]}:${account}`;
  switch (account) {
    case 'receivable':
      return `${name}:${safe(invoice ?? 'unknown')}`;
    case 'credit':
    case 'unallocated':
      return `${name}:${safe(client ?? 'unknown')}`;
    case 'tax':
      return `${name}:${country} ${percent}%`;
    default:
      return name;
  }
}

/** A text without the characters that end a name or a tag: it is percent-encoded. */
const safe = (text: string) => encodeURIComponent(text.toWellFormed());
