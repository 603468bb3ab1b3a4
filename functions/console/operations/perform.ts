/** The endpoint of the forms of a service: an operation with a session in place of an operator key. */

import { foundApplication } from '../../shared/accounts/applications.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { Operator } from '../../shared/contract/operator-scopes.ts';
import type { Input, Route, Routes } from '../../shared/contract/route.ts';
import type { LambdaHandler } from '../../shared/lambda/endpoint.ts';
import { parseParts } from '../../shared/lambda/parse-request.ts';
import {
  actsFor,
  type Command,
  type Commands,
  type CommandWithNotice,
  commandsOf,
  neededScope,
} from '../contracts/command.ts';
import type { submitRoute } from '../contracts/operations.ts';
import { pageNamed } from '../pages/path.ts';
import { type Answer, redirectTo, type Visit } from '../pages/visit.ts';
import { consoleEndpoint } from '../session/console-endpoint.ts';
import { type FormField, type FormValues, objectOf } from './fields.ts';
import { inputFields, statesReason } from './form.ts';
import { refusedPage, responsePage } from './pages.ts';

type SubmitRoute = ReturnType<typeof submitRoute>;
type Run = (input: object) => unknown;
type Submitted = Input<SubmitRoute>;

/**
 * The endpoint of the forms of a service. A form does what a request of its operation does: it is parsed by the same schemas, and
 * the same function carries it out.
 */
export function operationsEndpoint<R extends Routes>(
  route: SubmitRoute,
  routes: R,
  functions: Commands<R>,
): LambdaHandler {
  const commands = commandsOf(route.path.slice('/console/operations/'.length), routes);
  const named = ({ body }: Submitted) => commands.find(({ name }) => name === body.operation);
  return consoleEndpoint(
    route,
    (input) => neededScope(named(input)),
    async (input, visit) => {
      const command = named(input);
      if (command === undefined) throw new ApiError('not_found');
      // Each function has the input of its route, as the type of `functions` says.
      const told = functions[command.name as keyof typeof functions] as
        | Run
        | CommandWithNotice<object, unknown>;
      const { run, notice } =
        typeof told === 'function' ? { run: told, notice: () => command.words.notice } : told;
      return answerTo(command, input, visit, async (asked) => {
        const response = await run(asked);
        return { response, notice: notice(response) };
      });
    },
  );
}

/** A command that says what it did. */
export const saying = <I, O>(
  run: (input: I) => Promise<O>,
  notice: (response: O) => string,
): CommandWithNotice<I, O> => ({
  run,
  notice,
});

async function answerTo(
  command: Command,
  input: Submitted,
  visit: Visit,
  run: (input: object) => Promise<{ response: unknown; notice: string | undefined }>,
): Promise<Answer> {
  const next = pageNamed(input.body.page);
  const sent = sentIn(input);
  try {
    const { response, notice } = await run(await inputOf(command, input, sent, visit));
    return notice === undefined
      ? responsePage(visit, command, command.route.response.parse(response), next)
      : redirectTo(next, notice);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    // The page had the record. It does not exist any more: the form was sent before, or somebody else was faster.
    if (command.route.method === 'DELETE' && error.status === 404 && sent.unseen?.includes('path.'))
      return redirectTo(next, alreadyGone);
    return refusedPage(visit, command, sent, error);
  }
}

const alreadyGone = 'There is no such record now.';

/** The fields of a form as texts. */
const sentIn = ({ body }: Submitted): FormValues =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, value === undefined ? undefined : String(value)]),
  );

/** The input that a request of the operation would have. @throws ApiError `invalid_request`, `not_found` */
async function inputOf(command: Command, input: Submitted, sent: FormValues, visit: Visit): Promise<object> {
  const { route } = command;
  const { remote, baseUrl } = input;
  const fields = inputFields(route);
  requireStated(route, fields, sent);
  const read = (prefix: string) =>
    objectOf(
      fields.filter(({ name }) => name.startsWith(prefix)),
      sent,
    );
  const headers = { 'idempotency-key': sent.once };
  const parsed = parseParts(route, { params: read('path.'), headers, body: read('body.') });
  const caller = await callerOf(command, sent, visit.operator);
  return Object.assign(parsed, { caller, remote, baseUrl, rateLimitPassed: Promise.resolve() });
}

/** The operator, with their reason where the body has none, and the application that they act for. */
async function callerOf({ route }: Command, sent: FormValues, person: Operator) {
  const { applicationId = '', reason } = sent;
  const operator = statesReason(route) ? person : Object.assign({ reason }, person);
  if (!actsFor(route)) return operator;
  await foundApplication(applicationId);
  return { applicationId, by: 'operator', operator };
}

/** @throws ApiError `invalid_request` without a reason, or a choice that cannot be undone. A request need not have them. */
function requireStated(route: Route, fields: readonly FormField[], sent: FormValues): void {
  const flags = fields.filter(({ kind, isRequired }) => kind === 'flag' && isRequired);
  const names = [statesReason(route) ? 'body.reason' : 'reason', ...flags.map(({ name }) => name)];
  const missing = names.filter((name) => !sent[name]?.trim());
  if (missing.length === 0) return;
  const details = missing.map((name) => [name.replace('body.', ''), 'is required']);
  throw new ApiError('invalid_request', { details: Object.fromEntries(details) });
}
