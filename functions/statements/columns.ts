import type * as z from 'zod/mini';
import { amountText } from '../shared/lists/amount-text.ts';
import type { Columns } from '../shared/lists/csv.ts';
import type { Statement } from './response-schemas.ts';

type ListedStatement = z.output<typeof Statement>;

/** A bank statement as a row of CSV. The sums of all currencies are in one cell. */
export const statementColumns: Columns<ListedStatement> = {
  id: ({ _id }) => _id,
  format: ({ format }) => format,
  status: ({ status }) => status,
  entries: ({ entries }) => entries,
  matched: ({ matches }) => matches.matched,
  suggested: ({ matches }) => matches.suggested,
  unknown: ({ matches }) => matches.unknown,
  duplicate: ({ matches }) => matches.duplicate,
  reversal: ({ matches }) => matches.reversal,
  done: ({ progress }) => progress.done,
  totals: ({ totals }) =>
    totals.map(({ amount, currency }) => `${amountText(amount, currency)} ${currency}`).join('; '),
  createdAt: ({ createdAt }) => createdAt,
  confirmedAt: ({ confirmedAt }) => confirmedAt,
  importedAt: ({ importedAt }) => importedAt,
};
