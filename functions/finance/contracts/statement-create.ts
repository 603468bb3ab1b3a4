import { defineRoute } from '../../shared/contract/route.ts';
import { NewStatement, statementBodyMaxBytes } from '../api/statement-requests.ts';
import { StatementPage } from '../api/statement-responses.ts';
import { errors, refusals, sellerRoute } from './common.ts';

export const route = defineRoute({
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
});
