import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, refusals, sellerRoute } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { cursorField, limitField } from '../../shared/fields/page.ts';
import { matchKinds } from '../import/statement.ts';
import { defaultEntriesOfPage, StatementPath } from '../request-schemas.ts';
import { StatementPage } from '../response-schemas.ts';

const maxEntriesOfPage = 100;

const StatementQuery = z.object({
  match: z.optional(z.enum(matchKinds).check(described('Only entries with this match.'))),
  limit: limitField(maxEntriesOfPage, `The maximum number of entries. Default: ${defaultEntriesOfPage}.`),
  cursor: cursorField,
});

export const route = defineRoute({
  method: 'GET',
  path: '/api/v1/bank-statements/{id}',
  operationId: 'getBankStatement',
  summary: 'Retrieves a bank statement, its progress and its entries.',
  description:
    'Entries are sorted by value date. With `match`, a page can have fewer entries than `limit`, or none, and still have a `nextCursor`.',
  ...sellerRoute,
  params: StatementPath,
  query: StatementQuery,
  response: StatementPage,
  errors: { ...commonErrors, also: refusals },
  grants: { table: { BANKSTATEMENT: ['GetItem', 'BatchGetItem'] } },
});
