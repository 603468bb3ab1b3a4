import { amountCell } from '../shared/lists/amount-text.ts';
import type { Columns } from '../shared/lists/csv.ts';
import type { RecordResponse } from './schemas.ts';

type Entry = RecordResponse['entries'][number];

/** A posting with its entry and its record: a row of CSV. */
export type PostingRow = Omit<RecordResponse, 'entries'> &
  Omit<Entry, 'postings'> &
  Entry['postings'][number];

export const postingRows = (records: readonly RecordResponse[]): PostingRow[] =>
  records.flatMap(({ entries, ...record }) =>
    entries.flatMap(({ postings, ...entry }) =>
      postings.map((posting) => ({ ...record, ...entry, ...posting })),
    ),
  );

/** A posting as a row of CSV. */
export const postingColumns: Columns<PostingRow> = {
  record: ({ _id }) => _id,
  bookedAt: ({ bookedAt }) => bookedAt,
  day: ({ day }) => day,
  kind: ({ kind }) => kind,
  account: ({ account }) => account,
  invoice: ({ invoice }) => invoice,
  taxCountry: ({ country }) => country,
  taxRate: ({ percent }) => percent,
  currency: ({ currency }) => currency,
  debit: ({ amount, currency }) => (amount > 0 ? amountCell(amount, currency) : undefined),
  credit: ({ amount, currency }) => (amount < 0 ? amountCell(-amount, currency) : undefined),
  externalId: ({ externalId }) => externalId,
  subscriptionId: ({ subscriptionId }) => subscriptionId,
  paymentId: ({ paymentId }) => paymentId,
};
