import type { IncomingMessage, ServerResponse } from 'node:http';
import { alwaysHeaders } from '../../../functions/shared/contract/headers.ts';
import { type PersonName, personNames } from '../demo/people.ts';
import { demoReviewerKey } from '../demo/reviewer.ts';
import { signInAs, signInToConsole } from '../demo/sign-in.ts';
import { earliestStep } from '../due-steps.ts';
import { readBody } from '../http/body.ts';
import { localPagePolicy } from '../http/local-page.ts';
import { allows, type LocalRoutes, sendError, sendPage } from '../http/local-response.ts';
import { Action, LocalActions, type Stage } from './actions.ts';
import { homePage } from './page.ts';

const maxBodyBytes = 4 * 1024;

/**
 * - `GET /_local`: the page of the stack; `?done=<n>` shows the outcome of an action
 * - `POST /_local`: an action, as a form of the page sends it; redirects to the page. A sign-in redirects to the account page or to the
 *   console
 * - `GET /_local/people/<name>/billing`, `GET /_local/people/<name>/checkout`: redirects to this page of a person
 *
 * @param report receives why the demo people cannot be shown.
 */
export function homeRoutes(stage: Stage, report: (context: string, cause: unknown) => void): LocalRoutes {
  const actions = new LocalActions(stage);
  return async (request, response, url) => {
    const [, , section, name, page, ...rest] = url.pathname.split('/');
    const isHome = section === undefined || (section === '' && name === undefined);
    if (!isHome && section !== 'people') return false;
    if (!isHome) {
      const person = personNames.find((one) => one === name);
      if (person === undefined || !isPage(page) || rest.length > 0) return false;
      if (allows(request, response, 'GET')) await redirectTo[page](stage, person, response);
    } else if (allows(request, response, 'GET', 'POST')) {
      if (request.method === 'POST') await submit(stage, actions, request, response);
      else await show(stage, actions, { response, url, report });
    }
    return true;
  };
}

async function show(
  { clock, options, people }: Stage,
  actions: LocalActions,
  {
    response,
    url,
    report,
  }: { response: ServerResponse; url: URL; report: (context: string, cause: unknown) => void },
): Promise<void> {
  const unread = (error: unknown) => {
    report('demo people', error);
    return undefined;
  };
  const cast = await people.all().catch(unread);
  const next = cast && (await earliestStep(options.endpoint, options.tableName));
  const outcome = actions.outcome(Number(url.searchParams.get('done')));
  sendPage(response, homePage({ nowMs: clock.nowMs(), next, cast, outcome }), localPagePolicy);
}

async function submit(
  { options, people, demo }: Stage,
  actions: LocalActions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request, maxBodyBytes);
  if (body === undefined) return sendError(response, 'payload_too_large');
  const fields = Object.fromEntries(new URLSearchParams(body.toString()));
  const person = personNames.find((one) => one === fields.person);
  const { host } = request.headers;
  const origin = host === undefined ? options.origin() : `http://${host}`;
  const enter = async (path: string, session: Awaited<ReturnType<typeof signInAs>>) =>
    'cookies' in session
      ? redirect(response, path, session.cookies)
      : redirect(response, `/_local?done=${await actions.fail(session.problem)}`);
  if (fields.action === 'sign-in' && person !== undefined) {
    const { email } = await people.get(person);
    return enter('/account', await signInAs(options, email, origin));
  }
  if (fields.action === 'console') {
    const { operatorKey } = await demo();
    const key = fields.as === 'reviewer' ? await demoReviewerKey(options, operatorKey) : operatorKey;
    return enter('/console', await signInToConsole(options, key, origin));
  }
  const action = Action.safeParse(fields);
  if (!action.success)
    return sendError(response, 'invalid_request', { details: { action: 'of a form of /_local' } });
  redirect(response, `/_local?done=${await actions.do(action.data)}`);
}

const redirectTo = {
  billing: async ({ people }: Stage, name: PersonName, response: ServerResponse) =>
    redirect(response, await people.billingPath(name)),
  checkout: async ({ people }: Stage, name: PersonName, response: ServerResponse) => {
    const path = await people.checkoutPath(name);
    if (path === undefined) sendError(response, 'not_found', { message: 'There is no invoice to pay.' });
    else redirect(response, path);
  },
};

const isPage = (text: string | undefined): text is keyof typeof redirectTo =>
  text !== undefined && Object.hasOwn(redirectTo, text);

function redirect(response: ServerResponse, location: string, cookies: string[] = []): void {
  response.writeHead(303, { location, 'set-cookie': cookies, ...alwaysHeaders }).end();
}
