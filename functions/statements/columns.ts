import type * as z from 'zod/mini';
import { amountCell } from '../shared/lists/amount-text.ts';
import type { Columns } from '../shared/lists/csv.ts';
import type { Statement } from './response-schemas.ts';

type ListedStatement = z.output<typeof Statement>;

/** A bank statement as CSV: a row for each currency of its entries, and one without entries. */
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
  total: ({ totals }) => totals.map(({ amount, currency }) => amountCell(amount, currency)),
  currency: ({ totals }) => totals.map(({ currency }) => currency),
  createdAt: ({ createdAt }) => createdAt,
  confirmedAt: ({ confirmedAt }) => confirmedAt,
  importedAt: ({ importedAt }) => importedAt,
};
