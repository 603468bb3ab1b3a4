import { sellerCaller } from '../shared/auth/bearer.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { listReply } from '../shared/lists/replies.ts';
import { clock } from '../shared/runtime/clock.ts';
import { statementColumns } from './columns.ts';
import { route } from './contracts/list.ts';
import { statementPage } from './import/statement-page.ts';
import { toStatementResponse } from './present-statement.ts';

/** Lists the bank statements of the application, newest first. */
export async function listStatements(request: Input<typeof route>): Promise<Reply> {
  const { query, caller } = request;
  const shown = { nowMs: clock.nowMs(), toResponse: toStatementResponse };
  const page = await statementPage(caller.applicationId, query, shown);
  return listReply(request, route, 'statements', page, statementColumns);
}

export const handler = endpoint(route, listStatements, sellerCaller);
