import * as z from 'zod/mini';
import { actRoute, field, formBody, sessionTable } from '../../console/contracts/console-route.ts';
import { multipart } from '../../shared/contract/form-route.ts';
import { page } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { lineField } from '../../shared/fields/text.ts';
import { route as confirm } from '../../statements/contracts/confirm.ts';
import { matchKinds } from '../../statements/import/statement.ts';
import { ConsoleStatementPath, statementPath } from './paths.ts';

const StatementForm = z.catchall(
  z.object({
    ...formBody,
    action: z.enum(['keep', 'review', 'confirm']),
    version: z.optional(
      z.string().check(
        z.regex(/^\d{0,15}$/),
        z.meta({
          description:
            'The number of changes of the decisions that the page showed. With another one, nothing is changed.',
          examples: ['1'],
        }),
      ),
    ),
    match: z.optional(z.enum(matchKinds)),
    next: field('The place of the next page of entries.', 1_024),
    reason: z.optional(
      z.union([z.literal(''), lineField(500)]).check(z.meta({ description: 'For `confirm`: why.' })),
    ),
  }),
  field('`choice-3`: the choice about the entry 3. `other-3`: the id of another record for it.'),
);

export type StatementForm = z.output<typeof StatementForm>;

export const route = defineRoute({
  ...actRoute,
  bodyType: multipart,
  path: statementPath,
  summary: 'Saves decisions about the entries of a bank statement, or confirms it.',
  description:
    'For browsers. `confirm` does what `POST /api/v1/bank-statements/{id}/confirm` does, with the saved decisions. The audit record is written in the same transaction.',
  params: ConsoleStatementPath,
  body: StatementForm,
  otherResponses: [
    ...actRoute.otherResponses,
    page(409, 'The decisions have changed since the page was shown, or the statement was confirmed.'),
    page(422, 'A decision is not possible, or the reason is missing. The page says what is wrong.'),
  ],
  errors: { ...actRoute.errors, also: ['not_found'] },
  grants: {
    table: { ...confirm.grants.table, ...sessionTable, AUDIT: ['PutItem'] },
    uses: confirm.grants.uses,
  },
});
