import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, refusals, sellerRoute } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { maxDecisions } from '../import/statement.ts';
import { decisionFields, StatementPath } from '../request-schemas.ts';
import { Statement } from '../response-schemas.ts';

const entryId = z.string().check(
  z.refine((text) => /^[1-9]\d{0,4}$/.test(text), 'must be the entryId of an entry'),
  z.meta({ examples: ['12'] }),
);

const decision = z
  .object({
    entryId,
    ...decisionFields,
  })
  .check(
    z.refine(
      ({ entryId: _, ...made }) => Object.values(made).filter((one) => one !== undefined).length === 1,
      'must have one of subscriptionId, invoiceId, invoices, paymentId, asMatched, unapplied and skip',
    ),
  );

const Confirmation = z.object({
  entries: z._default(
    z.array(decision).check(
      z.maxLength(maxDecisions),
      z.refine(
        (list) => new Set(list.map((one) => one.entryId)).size === list.length,
        'must name each entry once',
      ),
      described('Your decisions about entries. A match without a decision is applied.'),
    ),
    [],
  ),
});

const OneStatement = z.object({ statement: Statement });

export const route = defineRoute({
  method: 'POST',
  path: '/api/v1/bank-statements/{id}/confirm',
  operationId: 'confirmBankStatement',
  summary: 'Confirms a bank statement: its entries are recorded as payments.',
  description: `\
The import runs in the background, and the statement shows its progress. A match is applied to its invoice or subscription, or
divided as its \`split\`. Use \`entries\` to decide about other entries, or about a wrong match, which
\`unapplied\` leaves unapplied. A credit that is neither matched nor decided is recorded as a payment that
is \`unapplied\`. Suggestions are not applied without a decision. A reversal takes back its payment, or the one that
you decide; without one it is left out. Duplicates are left out.

A repeated request with the same decisions returns the statement, and continues an import that has failed. A request with other
decisions is refused as \`conflict\`.`,
  ...sellerRoute,
  params: StatementPath,
  body: Confirmation,
  bodyOptional: true,
  response: OneStatement,
  status: 202,
  errors: { ...commonErrors, also: [...refusals, 'conflict'] },
  grants: {
    table: {
      BANKSTATEMENT: ['GetItem', 'BatchGetItem', 'UpdateItem'],
      SUBSCRIPTION: ['BatchGetItem'],
      INVOICE: ['BatchGetItem'],
      PAYMENT: ['BatchGetItem'],
    },
    uses: ['bankImport'],
  },
});
