import { type Command, neededScope } from '../console/contracts/command.ts';
import { operationPage, recordPage } from '../console/operations/pages.ts';
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
  const record = await recordOf(command, visit.query);
  return record === undefined
    ? operationPage(visit, command, visit.query)
    : recordPage(visit, command, { record, others: othersOf(command, visit) });
}

/** The other operations on the record of a command, which the operator may call. */
const othersOf = (command: Command, { scopes }: Visit): Command[] =>
  commands.filter((one) => {
    const { path, operatorScope = 'admin' } = one.route;
    return path.startsWith(command.route.path) && one !== command && allows(scopes, operatorScope);
  });

export const handler = consoleEndpoint(
  route,
  ({ query }) => neededScope(commandNamed(query.service, query.operation)),
  showOperations,
);
