import * as z from 'zod/mini';
import {
  actionRoute,
  choice,
  count,
  field,
  formBody,
  reasonBody,
  sessionTable,
} from '../../console/contracts/console-route.ts';
import { multipart } from '../../shared/contract/form-route.ts';
import { page } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { route as confirm } from '../../statements/contracts/confirm.ts';
import { matchKinds } from '../../statements/import/statement.ts';
import { ConsoleStatementPath, statementPath } from './paths.ts';

const version = count(
  'The number of changes of the decisions that the page showed. With another one, nothing is changed.',
);

const StatementForm = z.discriminatedUnion('action', [
  z.catchall(
    z.object({
      action: z.enum(['keep', 'review']),
      ...formBody,
      version,
      match: choice('The match of the entries that are shown next.', matchKinds),
      next: field('The place of the next page of entries.', 1_024),
    }),
    field('`choice-3`: the choice about the entry 3. `other-3`: the id of another record for it.'),
  ),
  z.object({ action: z.literal('confirm'), ...reasonBody, version }),
]);

export type StatementForm = z.output<typeof StatementForm>;

export const route = defineRoute({
  ...actionRoute,
  bodyType: multipart,
  path: statementPath,
  operationId: 'submitConsoleStatementPage',
  summary: 'Saves decisions about the entries of a bank statement, or confirms it.',
  description:
    'For browsers. `confirm` does what `POST /api/v1/bank-statements/{id}/confirm` does, with the saved decisions. The audit record is written in the same transaction.',
  params: ConsoleStatementPath,
  body: StatementForm,
  otherResponses: [
    ...actionRoute.otherResponses,
    page(409, 'The decisions have changed since the page was shown, or the statement was confirmed.'),
    page(422, 'A decision is not possible. The page says what is wrong.'),
  ],
  errors: { ...actionRoute.errors, also: ['not_found'] },
  grants: {
    table: { ...confirm.grants.table, ...sessionTable, AUDIT: ['PutItem'] },
    uses: confirm.grants.uses,
    files: ['console.js'],
  },
});
