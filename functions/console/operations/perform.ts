/** The endpoint of the forms of a service: an operation with a session in place of an operator key. */

import { foundApplication } from '../../shared/accounts/applications.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { Operator } from '../../shared/contract/operator-scopes.ts';
import type { Input, Routes } from '../../shared/contract/route.ts';
import type { LambdaHandler } from '../../shared/lambda/endpoint.ts';
import { parseParts } from '../../shared/lambda/parse-request.ts';
import { actsFor, type Command, type Commands, commandsOf, type Told } from '../contracts/command.ts';
import type { submitRoute } from '../contracts/operations.ts';
import { pageNamed } from '../pages/path.ts';
import { type Answer, redirectTo, type Visit } from '../pages/visit.ts';
import { consoleEndpoint } from '../session/console-endpoint.ts';
import { objectOf, type Sent } from './fields.ts';
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
    (input) => named(input)?.route.operatorScope ?? 'any',
    async (input, visit) => {
      const command = named(input);
      if (command === undefined) throw new ApiError('not_found');
      // Each function has the input of its route, as the type of `functions` says.
      const told = functions[command.name as keyof typeof functions] as Run | Told<object, unknown>;
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
export const saying = <I, O>(run: (input: I) => Promise<O>, notice: (response: O) => string): Told<I, O> => ({
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
  try {
    const { response, notice } = await run(await inputOf(command, input, visit));
    return notice === undefined
      ? responsePage(visit, command, command.route.response.parse(response), next)
      : redirectTo(next, notice);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    // The form was sent before, or somebody else was faster: the record is as it should be.
    if (command.route.method === 'DELETE' && error.status === 404) return redirectTo(next, alreadyGone);
    return refusedPage(visit, command, sentIn(input), error);
  }
}

const alreadyGone = 'There is no such record now.';

/** The fields of a form as texts. */
const sentIn = ({ body }: Submitted): Sent =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, value === undefined ? undefined : String(value)]),
  );

/** The input that a request of the operation would have. @throws ApiError `invalid_request`, `not_found` */
async function inputOf(command: Command, input: Submitted, visit: Visit): Promise<object> {
  const { route } = command;
  const { remote, baseUrl } = input;
  const sent = sentIn(input);
  requireReason(sent);
  const read = (prefix: string) =>
    objectOf(
      inputFields(route).filter(({ name }) => name.startsWith(prefix)),
      sent,
    );
  const headers = { 'idempotency-key': sent.once };
  const parsed = parseParts(route, { params: read('path.'), headers, body: read('body.') });
  const caller = await callerOf(command, sent, visit.operator);
  return Object.assign(parsed, { caller, remote, baseUrl, rateLimitPassed: Promise.resolve() });
}

/** The operator, with their reason where the body has none, and the application that they act for. */
async function callerOf({ route }: Command, sent: Sent, person: Operator) {
  const { applicationId = '', reason } = sent;
  const operator = statesReason(route) ? person : Object.assign({ reason }, person);
  if (!actsFor(route)) return operator;
  await foundApplication(applicationId);
  return { applicationId, by: 'operator', operator };
}

/** @throws ApiError `invalid_request` without one: a form asks for it also where a request need not have it. */
function requireReason({ reason, 'body.reason': ofBody = reason }: Sent): void {
  if (!ofBody?.trim()) throw new ApiError('invalid_request', { details: { reason: 'is required' } });
}
