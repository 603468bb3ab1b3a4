import { sellerCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { decidedOn } from './import/decision-authors.ts';
import { entryPage } from './import/entry-page.ts';
import { statementStore } from './import/store.ts';
import { toDecisionResponse, toEntryResponse, toStatementResponse } from './present-statement.ts';
import { defaultEntriesOfPage } from './request-schemas.ts';
import { readRoute } from './routes.ts';

export const readStatement: Handler<typeof readRoute> = async ({
  params: { id },
  query: { match, limit = defaultEntriesOfPage, cursor },
  caller,
  rateLimitPassed,
}) => {
  const [statement] = await Promise.all([
    statementStore.get(caller.applicationId, id, clock.nowMs()),
    rateLimitPassed,
  ]);
  if (statement === undefined) throw new ApiError('not_found');
  const { items, nextCursor } = await entryPage(statement, { match, limit, cursor });
  return {
    statement: toStatementResponse(statement),
    entries: items.map(({ entry, result }) => {
      const decided = decidedOn(statement, entry.n);
      const decision = decided && toDecisionResponse(decided, caller);
      return toEntryResponse(entry, defined({ result, decision }));
    }),
    ...defined({ nextCursor }),
  };
};

export const handler = endpoint(readRoute, readStatement, sellerCaller);
