import { defineRoute } from '../../shared/contract/route.ts';
import { StatementPath, StatementQuery } from '../api/statement-requests.ts';
import { StatementPage } from '../api/statement-responses.ts';
import { errors, refusals, sellerRoute } from './common.ts';

export const route = defineRoute({
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
});
