import * as z from 'zod/mini';
import { ExternalId } from '../clients/external-id.ts';
import { commonErrors, defineRoute, type Routes } from '../shared/contract/route.ts';
import { described } from '../shared/fields/described.ts';
import {
  csvResponse,
  indexes,
  nextCursor,
  pageFields,
  periodFields,
  sellerListRoute,
} from '../shared/lists/requests.ts';
import { AccountBalance, AccountLineResponse } from './account-schemas.ts';
import { RecordResponse } from './schemas.ts';

const JournalQuery = z.object({
  format: z.optional(
    z.enum(['hledger', 'datev']).check(
      z.meta({
        description:
          '`hledger`: transactions of hledger. `datev`: a batch of postings for DATEV. Absent: JSON, or CSV if `Accept` prefers `text/csv`.',
      }),
    ),
  ),
  ...periodFields('the time of booking'),
  ...pageFields,
});

const Journal = z.object({ records: z.array(RecordResponse), nextCursor });

export const listRoute = defineRoute({
  ...sellerListRoute,
  path: '/api/v1/journal',
  operationId: 'listJournalRecords',
  summary: 'Lists the entries of the ledger, for accounting.',
  description: `\
The journal has every movement of money, in the order of booking, newest first. A record has the entries of one change. It is written
in the transaction of the change, and never changes. The postings of an entry add up to 0.

Every change is booked at the time of its write. A period that has ended gets no further entry: a payment of an earlier value date is
booked in the present period, with its \`valueDate\`, and \`lateFor\` names the month that had ended.

CSV has a row for each posting. \`format=hledger\` has all directives that \`hledger check --strict\` needs; the pages of a period make
one journal. \`format=datev\` needs the setting \`datev\`, and \`from\` and \`to\` as days of one fiscal year. Each page is a batch of its own,
with the entries in euros: the name of the batch counts the others, which it leaves out. An entry of several postings becomes several
rows, each with a contra account. The file is in Windows-1252 if \`Accept\` begins with \`text/csv\`, and otherwise in UTF-8 with a byte
order mark.

Without \`limit\`, a page of CSV, for hledger or for DATEV has up to 4,000 records.`,
  query: JournalQuery,
  response: Journal,
  otherResponses: [
    Object.assign({}, csvResponse, { headers: [...csvResponse.headers, 'content-disposition'] as const }),
    {
      status: 200,
      description: 'The same page for hledger, with `format=hledger`. `Link` leads to the next page.',
      mediaType: 'text/plain',
      headers: ['vary', 'link'],
    },
  ],
  grants: { table: { APP: ['GetItem'] }, indexes },
});

const StatementQuery = z.object({
  ...periodFields('the time of booking', 'the time zone of the seller (setting `timeZone`)'),
  ...pageFields,
});

const balances = (description: string) => z.array(AccountBalance).check(described(description));

export const AccountStatement = z.object({
  externalId: z.string(),
  timeZone: z.string().check(described('In which days begin.')),
  openingBalances: balances('Before the first line of the period, by currency.'),
  closingBalances: balances('After the last line of the period, by currency.'),
});

export const accountStatementRoute = defineRoute({
  ...sellerListRoute,
  path: '/api/v1/clients/{externalId}/statement',
  operationId: 'getAccountStatement',
  summary: "Returns a client's account statement.",
  description: `\
The statement has each entry of the ledger that changes what the client owes, the oldest first, with the balance after it. The balance is
what is due of their invoices less their credit. Without \`to\`, the last balance is that of now. An entry that moves money between the
client's credit and their invoices changes no balance and is left out. Money that waits for a decision is not part of it.

A client with more than 100 subscriptions or 5,000 changes has no statement (\`limit_exceeded\`). The journal has their entries.`,
  params: z.object({ externalId: ExternalId }),
  query: StatementQuery,
  response: z.object({ statement: AccountStatement, lines: z.array(AccountLineResponse), nextCursor }),
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'limit_exceeded'] },
  grants: { table: { APP: ['GetItem'], CLIENT: ['GetItem', 'Query'], SUBSCRIPTION: ['Query'] } },
});

export const routes = {
  list: listRoute,
  'account-statement': accountStatementRoute,
} satisfies Routes;
