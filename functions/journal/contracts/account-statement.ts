import * as z from 'zod/mini';
import { ExternalId } from '../../clients/external-id.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { listRoute, nextCursor } from '../../shared/lists/list-route.ts';
import { pageFields, periodFields } from '../../shared/lists/requests.ts';
import { AccountBalance, AccountLineResponse } from '../account-schemas.ts';

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

export const route = defineRoute({
  ...listRoute,
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
