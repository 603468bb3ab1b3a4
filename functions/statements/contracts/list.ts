import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { indexes, listRoute, nextCursor, pagesDescription } from '../../shared/lists/list-route.ts';
import { pageFields, periodFields } from '../../shared/lists/requests.ts';
import { Statement } from '../response-schemas.ts';

const StatementListQuery = z.object({ ...periodFields('the creation'), ...pageFields });

const StatementList = z.object({ statements: z.array(Statement), nextCursor });

export const route = defineRoute({
  ...listRoute,
  path: '/api/v1/bank-statements',
  operationId: 'listBankStatements',
  summary: 'Lists the bank statements of the application.',
  description: `\
Statements are sorted by their creation, newest first. One that has expired is not listed.

${pagesDescription}`,
  query: StatementListQuery,
  response: StatementList,
  grants: { table: { APP: ['GetItem'], BANKSTATEMENT: ['BatchGetItem'] }, indexes },
});
