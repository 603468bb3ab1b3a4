import type * as z from 'zod/mini';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { amountCell, type Columns, cells, listReply } from '../shared/lists/csv.ts';
import { clock } from '../shared/runtime/clock.ts';
import { statementPage } from './import/statement-page.ts';
import { toStatementResponse } from './present-statement.ts';
import type { Statement } from './response-schemas.ts';
import { listRoute } from './routes.ts';

export async function listStatements(request: Input<typeof listRoute>): Promise<Reply> {
  const { query, caller } = request;
  const shown = { nowMs: clock.nowMs(), toResponse: toStatementResponse };
  const page = await statementPage(caller.applicationId, query, shown);
  return listReply(request, listRoute, 'statements', page, statementColumns);
}

type ListedStatement = z.output<typeof Statement>;

/** A bank statement as CSV: a row for each currency of its entries, and one without entries. */
const statementColumns: Columns<ListedStatement> = {
  id: ({ _id }) => _id,
  ...cells('format', 'status', 'entries'),
  matched: ({ matches }) => matches.matched,
  suggested: ({ matches }) => matches.suggested,
  unknown: ({ matches }) => matches.unknown,
  duplicate: ({ matches }) => matches.duplicate,
  reversal: ({ matches }) => matches.reversal,
  done: ({ progress }) => progress.done,
  total: ({ totals }) => totals.map(({ amount, currency }) => amountCell(amount, currency)),
  currency: ({ totals }) => totals.map(({ currency }) => currency),
  ...cells('createdAt', 'confirmedAt', 'importedAt'),
};

export const handler = endpoint(listRoute, listStatements, sellerCaller);
