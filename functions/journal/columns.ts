import { amountCell, type Columns, cells } from '../shared/lists/csv.ts';
import type { RecordResponse } from './schemas.ts';

type Entry = RecordResponse['entries'][number];

/** A posting with its entry and its record: a row of CSV. */
export type PostingRow = Omit<RecordResponse, 'entries'> &
  Omit<Entry, 'postings'> &
  Entry['postings'][number];

export const postingRows = ({ entries, ...record }: RecordResponse): PostingRow[] =>
  entries.flatMap(({ postings, ...entry }) =>
    postings.map((posting) => ({ ...record, ...entry, ...posting })),
  );

const isTaxed = (account: PostingRow['account']) => ['revenue', 'tax', 'write_off'].includes(account);

export const postingColumns: Columns<PostingRow> = {
  record: ({ _id }) => _id,
  ...cells('bookedAt', 'day', 'valueDate', 'lateFor', 'kind', 'account', 'invoice'),
  taxKind: ({ account, sale }) => (isTaxed(account) ? sale?.kind : undefined),
  taxCountry: ({ account, sale }) => (isTaxed(account) ? sale?.country : undefined),
  taxRate: ({ account, sale }) => (isTaxed(account) && sale?.kind === 'standard' ? sale.percent : undefined),
  currency: ({ currency }) => currency,
  debit: ({ amount, currency }) => (amount > 0 ? amountCell(amount, currency) : undefined),
  credit: ({ amount, currency }) => (amount < 0 ? amountCell(-amount, currency) : undefined),
  ...cells('externalId', 'subscriptionId', 'paymentId'),
};
