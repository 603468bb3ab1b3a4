import { toApplicationResponse } from '../applications/present.ts';
import { actsFor, type Command, neededScope, operationPath } from '../console/contracts/command.ts';
import { fieldsOf } from '../console/operations/fields.ts';
import { operationPage, recordPage } from '../console/operations/pages.ts';
import type { FormValues } from '../console/operations/values.ts';
import { column, table } from '../console/pages/table.ts';
import { type Answer, show, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import { toPlanResponse } from '../plans/plan.ts';
import { planStore } from '../plans/store.ts';
import { getApplication } from '../shared/accounts/applications.ts';
import { getUser } from '../shared/accounts/users.ts';
import { ApiError, found } from '../shared/contract/errors.ts';
import { allows } from '../shared/contract/operator-scopes.ts';
import type { Input } from '../shared/contract/route.ts';
import { html, type Markup } from '../shared/html/markup.ts';
import { toUserResponse } from '../users/present.ts';
import { toWebhookResponse } from '../webhooks/endpoints/schema.ts';
import { webhookStore } from '../webhooks/endpoints/store.ts';
import { commandNamed, commands } from './contracts/commands.ts';
import { route } from './contracts/list.ts';

/** Reads a record by its ids, which are fields of its form. */
type Reader = (ids: FormValues) => Promise<object | undefined>;

/** By the operations that change the records. The endpoints that read the records would enlarge the bundle. */
const readers: Readonly<Record<string, Reader>> = {
  'applications.update': async ({ 'path.id': id = '' }) => {
    const application = await getApplication(id);
    return application && toApplicationResponse(application);
  },
  'plans.update': async ({ 'path.id': id = '', 'path.planId': planId = '' }) => {
    const plan = await planStore.get(id, planId);
    return plan && toPlanResponse(plan);
  },
  'users.upsert': async ({ 'path.userId': userId = '' }) => {
    const user = await getUser(userId);
    return user && toUserResponse(user);
  },
  'webhooks.webhook-update': async ({ applicationId = '', 'path.id': id = '' }) => {
    const webhook = await webhookStore.get(applicationId, id);
    return webhook && toWebhookResponse(webhook);
  },
};

/** The record of the form of a command, where the address of the page names it. @throws ApiError `not_found` */
export async function recordOf(
  { service, name, route }: Command,
  query: FormValues,
): Promise<object | undefined> {
  const read = readers[`${service}.${name}`];
  const ids = [
    ...fieldsOf(route.params, 'path').map((field) => field.name),
    ...(actsFor(route) ? ['applicationId'] : []),
  ];
  if (read === undefined || !ids.every((id) => query[id])) return undefined;
  return found(await read(query));
}

/** The operations, by their services. */
export function listPage({ href }: Visit, commands: readonly Command[]): Markup {
  const services = [...new Set(commands.map(({ service }) => service))];
  const link = ({ service, name, words }: Command) =>
    html`<a href="${href(operationPath(service, name))}">${words.title}</a>`;
  const tables = services.map((service) =>
    table(
      service.charAt(0).toUpperCase() + service.slice(1),
      commands.filter((command) => command.service === service),
      [
        column.block('Operation', link),
        column.text('In short', ({ route }) => route.summary),
        column.text('Scope', ({ route }) => route.operatorScope ?? ''),
      ],
      '',
    ),
  );
  return html`<h1>Operations</h1>
<p class="note">Each form is an operation of the API, and of the operator's command line.</p>
${tables}`;
}

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
