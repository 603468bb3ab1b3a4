import { defineRoutes } from '../../shared/contract/route.ts';
import {
  Confirmation,
  NewStatement,
  StatementPath,
  StatementQuery,
  statementBodyMaxBytes,
} from './statement-requests.ts';
import { OneStatement, StatementPage } from './statement-responses.ts';

const sellerRoute = { auth: 'seller', operatorScope: 'finance', concurrentRateLimit: true } as const;
const errors = { invalid: 'invalid_request', limited: 'rate_limited', failed: 'server_error' } as const;
/** An operator can name an application that does not exist. */
const refusals = ['invalid_token', 'not_found'] as const;

export const statementRoutes = defineRoutes({
  'statement-create': {
    method: 'POST',
    path: '/api/v1/bank-statements',
    summary: 'Creates a dry run of a bank statement: it shows which subscription each entry pays.',
    description: `\
No payment is recorded until the statement is confirmed. \`file\` is CAMT.053 of any version, or CSV with a
\`mapping\`, of at most 10,000 entries.

An entry is \`matched\` when what the payer wrote contains the reference number of one subscription, with its check
character, or its creditor reference (ISO 11649). It is \`suggested\` when a person has to decide: the payer wrote several
reference numbers, or an open invoice has the amount of the entry and its client the name of the payer. An entry that was
recorded before, from this file or another one, is a \`duplicate\`.

A file has at most 1,000,000 elements and attributes, or cells and lines. No tag, no text between two tags and no line has more
than 100,000 characters. Elements are nested at most 40 deep. An application has one file read at a time. Another request meanwhile
is \`rate_limited\`: send it again after the seconds of \`Retry-After\`.

The response has the first page of the entries. A repeated request reads the file again, as another statement: each
entry is still recorded once.`,
    ...sellerRoute,
    body: NewStatement,
    maxBodyBytes: statementBodyMaxBytes,
    throttle: { ratePerSecond: 20, burst: 40 },
    response: StatementPage,
    status: 201,
    errors: { ...errors, also: refusals },
    grants: {
      table: {
        BANKSTATEMENT: ['PutItem'],
        RATE: ['UpdateItem'],
        PAYMENT: ['BatchGetItem'],
        REFERENCE: ['BatchGetItem'],
        CLIENT: ['BatchGetItem'],
      },
      indexes: { listed: ['LIST'] },
    },
  },
  'statement-read': {
    method: 'GET',
    path: '/api/v1/bank-statements/{id}',
    summary: 'Retrieves a bank statement, its progress and its entries.',
    description:
      'Entries are sorted by value date. With `match`, a page can have fewer entries than `limit`, or none, and still have a `nextCursor`.',
    ...sellerRoute,
    params: StatementPath,
    query: StatementQuery,
    response: StatementPage,
    errors: { ...errors, also: refusals },
    grants: { table: { BANKSTATEMENT: ['GetItem', 'BatchGetItem'] } },
  },
  'statement-confirm': {
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
  },
});
