import { type Answer, show, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import { foundApplication } from '../shared/accounts/applications.ts';
import type { Input } from '../shared/contract/route.ts';
import type { BankStatement } from '../statements/import/statement.ts';
import { statementPage } from '../statements/import/statement-page.ts';
import { route } from './contracts/statement-list.ts';
import { statementsPage } from './pages/statements-page.ts';

const shownStatements = 25;

/** Shows the bank statements of an application, newest first, and the form for another one. */
export async function listStatements(
  { params: { applicationId }, query: { cursor } }: Input<typeof route>,
  visit: Visit,
): Promise<Answer> {
  const application = await foundApplication(applicationId);
  const query = { limit: shownStatements, cursor };
  const shown = { nowMs: visit.nowMs, toResponse: (statement: BankStatement) => statement };
  const statements = await statementPage(applicationId, query, shown);
  return show('Bank statements', statementsPage(visit, application, statements));
}

export const handler = consoleEndpoint(route, 'finance', listStatements);
