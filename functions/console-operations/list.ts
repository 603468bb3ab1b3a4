import { neededScope } from '../console/contracts/command.ts';
import { operationPage } from '../console/operations/pages.ts';
import { type Answer, show, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { allows } from '../shared/contract/operator-scopes.ts';
import type { Input } from '../shared/contract/route.ts';
import { commandNamed, commands } from './contracts/commands.ts';
import { route } from './contracts/list.ts';
import { listPage } from './list-page.ts';
import { recordOf } from './records.ts';

/** Shows the operations that the scopes of the operator cover, or the form of one. */
export async function showOperations({ query }: Input<typeof route>, visit: Visit): Promise<Answer> {
  const { service, operation } = query;
  if (operation === undefined) {
    const covered = commands.filter(({ route: { operatorScope = 'admin' } }) =>
      allows(visit.scopes, operatorScope),
    );
    return show('Operations', listPage(visit, covered));
  }
  const command = commandNamed(service, operation);
  if (command === undefined) throw new ApiError('not_found');
  return operationPage(visit, command, visit.query, await recordOf(command, visit));
}

export const handler = consoleEndpoint(
  route,
  ({ query }) => neededScope(commandNamed(query.service, query.operation)),
  showOperations,
);
