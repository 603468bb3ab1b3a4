/** The endpoint of the forms of a service: an operation with a session in place of an operator key. */

import { foundApplication } from '../../shared/accounts/applications.ts';
import type { Operator } from '../../shared/contract/operator-scopes.ts';
import { type Input, type Route, type Routes, statesReason } from '../../shared/contract/route.ts';
import { ApiError, type LambdaHandler } from '../../shared/lambda/endpoint.ts';
import { parseParts } from '../../shared/lambda/parse-request.ts';
import {
  actsFor,
  type Command,
  type Commands,
  type CommandWithNotice,
  type CommandWithPreview,
  commandsOf,
  neededScope,
  type Preview,
} from '../contracts/command.ts';
import type { submitRoute } from '../contracts/operations.ts';
import { type Answer, pageNamed, redirectTo, type Visit } from '../pages/visit.ts';
import { consoleEndpoint } from '../session/console-endpoint.ts';
import type { FormField } from './fields.ts';
import { inputFields } from './form.ts';
import { previewPage, refusedPage, responsePage } from './pages.ts';
import { type FormValues, objectOf, shownIn } from './values.ts';

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
      const found = functions[command.name as keyof typeof functions] as
        | Run
        | CommandWithNotice<object, unknown>
        | CommandWithPreview<object>;
      return answerTo({ command, input, sent: sentIn(input), visit }, doing(command, found));
    },
  );
}

/** How a command is carried out. */
interface Doing {
  readonly run: Run;
  readonly notice: (response: unknown) => string | undefined;
  readonly preview?: (input: object) => Promise<Preview>;
}

function doing(
  { words: { notice } }: Command,
  found: Run | CommandWithNotice<object, unknown> | CommandWithPreview<object>,
): Doing {
  const own = { notice: () => notice };
  return typeof found === 'function' ? { run: found, ...own } : { ...own, ...found };
}

/** A command that says what it did. */
export const saying = <I, O>(
  run: (input: I) => Promise<O>,
  notice: (response: O) => string,
): CommandWithNotice<I, O> => ({
  run,
  notice,
});

/** A form that was sent. */
interface Sent {
  readonly command: Command;
  readonly input: Submitted;
  readonly sent: FormValues;
  readonly visit: Visit;
}

async function answerTo(form: Sent, { run, notice, preview }: Doing): Promise<Answer> {
  const { command, input, sent, visit } = form;
  const next = pageNamed(input.body.page);
  const isPreview = preview !== undefined && sent.step !== 'confirm';
  try {
    if (isPreview) return previewPage(visit, command, sent, await preview(await inputOf(form, true)), 200);
    const response = await run(await inputOf(form, false));
    const text = notice(response);
    return text === undefined
      ? responsePage(visit, command, command.route.response.parse(response), next)
      : redirectTo(next, text);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    if (preview !== undefined && error.code === 'conflict') return await changedMeanwhile(form, preview);
    // The page had the record. It does not exist any more: the form was sent before, or somebody else was faster.
    if (command.route.method === 'DELETE' && error.status === 404 && sent.fixed?.includes('path.'))
      return redirectTo(next, alreadyGone);
    return refusedPage(visit, command, sent, error);
  }
}

/** The difference that a form makes now. Without one it was carried out before, or somebody else did the same. */
async function changedMeanwhile(form: Sent, preview: (input: object) => Promise<Preview>): Promise<Answer> {
  const { command, input, sent, visit } = form;
  const now = await preview(await inputOf(form, true));
  const { notice } = command.words;
  if (now.revision === undefined && notice !== undefined)
    return redirectTo(pageNamed(input.body.page), notice);
  return previewPage(visit, command, sent, now, 409);
}

const alreadyGone = 'There is no such record now.';

/** The fields of a form as texts. */
const sentIn = ({ body }: Submitted): FormValues =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, value === undefined ? undefined : String(value)]),
  );

/**
 * The input that a request of the operation would have.
 *
 * @param isPreview it is not carried out, and needs no reason.
 * @throws ApiError `invalid_request`, `not_found`
 */
async function inputOf({ command, input, sent, visit }: Sent, isPreview: boolean): Promise<object> {
  const { route } = command;
  const { remote, baseUrl } = input;
  const fields = inputFields(route);
  if (!isPreview) requireStated(route, fields, sent);
  const shown = shownIn(sent);
  const read = (prefix: string) =>
    objectOf(
      fields.filter(({ name }) => name.startsWith(prefix)),
      sent,
      shown,
    );
  const headers = { 'idempotency-key': sent.once };
  const parsed = parseParts(route, { params: read('path.'), headers, body: read('body.') });
  const caller = await callerOf(command.route, sent, visit.operator);
  return Object.assign(parsed, { caller, remote, baseUrl, rateLimitPassed: Promise.resolve() });
}

/** The operator, with their reason where the body has none, and the application that they act for. */
async function callerOf(route: Route, sent: FormValues, person: Operator) {
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
