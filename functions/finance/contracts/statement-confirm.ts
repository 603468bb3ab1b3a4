import { defineRoute } from '../../shared/contract/route.ts';
import { Confirmation, StatementPath } from '../api/statement-requests.ts';
import { OneStatement } from '../api/statement-responses.ts';
import { errors, refusals, sellerRoute } from './common.ts';

export const route = defineRoute({
  method: 'POST',
  path: '/api/v1/bank-statements/{id}/confirm',
  summary: 'Confirms a bank statement: its entries are recorded as payments.',
  description: `\
The import runs in the background, and the statement shows its progress. A match is applied to its subscription. Use \`entries\` to decide about
other entries, or about a wrong match. A credit that is neither matched nor decided is recorded as a payment that
is \`unapplied\`. Suggestions are not applied without a decision. Duplicates and reversals are left out.

A repeated request with the same decisions returns the statement, and continues an import that has failed. A request with other
decisions is refused as \`conflict\`.`,
  ...sellerRoute,
  params: StatementPath,
  body: Confirmation,
  bodyOptional: true,
  response: OneStatement,
  status: 202,
  errors: { ...errors, also: [...refusals, 'conflict'] },
  grants: {
    table: {
      BANKSTATEMENT: ['GetItem', 'BatchGetItem', 'UpdateItem'],
      SUBSCRIPTION: ['BatchGetItem'],
      INVOICE: ['BatchGetItem'],
    },
    uses: ['bankImport'],
  },
});
