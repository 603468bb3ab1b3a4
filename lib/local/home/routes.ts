import * as z from 'zod/mini';
import { ClockError } from '../clock.ts';
import { callHandler, codeMailed, type DemoOptions } from '../demo/demo-client.ts';
import { exampleValues } from '../demo/example-values.ts';
import { personNames } from '../demo/people.ts';
import { demoReviewerKey } from '../demo/tenants.ts';
import { earliestStep } from '../due-steps.ts';
import { parseJson } from '../http/body.ts';
import { Refusal } from '../http/gateway-response.ts';
import {
  type Answer,
  bodyOf,
  json,
  type LocalRequest,
  type LocalRoutes,
  localRoutes,
  page,
  redirect,
} from '../http/local-routes.ts';
import type { StillRunning } from '../webhooks/catcher.ts';
import { Action, LocalActions, type Stage } from './actions.ts';
import { consolePage, homePage } from './page.ts';

/**
 * Where the local stack signs in from, an address of documentation (RFC 3849). It is the same each time, so that a mailbox knows it
 * after the first sign-in.
 */
const signInAddress = '2001:db8::5';

/** The cookies of a session, or why there is none: the limits of sign-ins apply here too. */
type SignedIn = { cookies: string[] } | { problem: string };

/** Loads a page as a browser does. @returns a function that submits the form of the page. */
async function load(
  options: DemoOptions,
  page: string,
): Promise<(fields: Record<string, string>) => Promise<Response>> {
  const accept = 'text/html';
  const shown = await callHandler(options, new Request(page, { headers: { accept } }), signInAddress);
  const form = /name="form" value="([^"]+)"/.exec(await shown.text())?.[1] ?? '';
  const cookie = shown.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
  return (fields) => {
    const body = new URLSearchParams({ form, ...fields });
    const headers = { accept, cookie: cookie.join('; ') };
    return callHandler(options, new Request(page, { method: 'POST', headers, body }), signInAddress);
  };
}

/** Signs in to the account page as its user does: asks for a code, reads it in the mailbox of the stack, and submits it. */
async function signInAs(options: DemoOptions, email: string, origin: string): Promise<SignedIn> {
  const submit = await load(options, `${origin}/account`);
  const code = await codeMailed(options, email, () => submit({ email, step: 'send' }));
  if (code === undefined)
    return {
      problem: `No new code for ${email} is in the mailbox. After too many, move the clock by a day.`,
    };
  return sessionOf(await submit({ email, step: 'sign-in', code }));
}

/** Signs in to the console with an operator key. @param origin of the page in the browser. */
async function signInToConsole(options: DemoOptions, key: string, origin: string): Promise<SignedIn> {
  const submit = await load(options, `${origin}/console/sign-in`);
  return sessionOf(await submit({ key }));
}

const sessionOf = ({ status, headers }: Response): SignedIn =>
  status === 303 ? { cookies: headers.getSetCookie() } : { problem: `The sign-in answered ${status}.` };

/** One of the two fields, and no other. */
const Move = z.union([
  z.strictObject({ advanceSeconds: z.number().check(z.gte(0)) }),
  z.strictObject({ now: z.iso.datetime({ offset: true }) }),
]);
const moveShape =
  'Send either { "advanceSeconds": 3600 }, zero or more, or { "now": "2030-01-31T12:00:00Z" }, no earlier than the clock.';

/** The stack itself: its page, its clock, its health, and the demo data. */
export function homeRoutes(
  stage: Stage,
  parts: {
    /** `ok`, or what is wrong. */
    health: () => Promise<string>;
    stillRunning: () => StillRunning[];
    /** Receives why the demo people cannot be shown. */
    report: (context: string, cause: unknown) => void;
  },
): LocalRoutes {
  const { clock, demo, options, people } = stage;
  const actions = new LocalActions(stage);
  const time = () => json({ now: new Date(clock.nowMs()).toISOString(), stillRunning: parts.stillRunning() });
  const personOf = ({ parameters }: LocalRequest) => {
    const person = personNames.find((one) => one === parameters.person);
    if (person === undefined) throw new Refusal('not_found');
    return person;
  };
  return localRoutes({
    'GET /_local': async ({ query }) => {
      const cast = await people.all().catch((error: unknown) => {
        parts.report('demo people', error);
        return undefined;
      });
      const next = cast && (await earliestStep(options.table));
      const outcome = actions.outcome(Number(query.get('done')));
      return page(homePage({ nowMs: clock.nowMs(), next, cast, outcome }));
    },
    'POST /_local': (request) => submit(stage, actions, request),
    'GET /_local/people/{person}/billing': async (request) =>
      redirect(await people.billingPath(personOf(request))),
    'GET /_local/people/{person}/checkout': async (request) => {
      const path = await people.checkoutPath(personOf(request));
      if (path === undefined) throw new Refusal('not_found', { message: 'There is no invoice to pay.' });
      return redirect(path);
    },
    'GET /_local/clock': time,
    'POST /_local/clock': async (request) => {
      const move = Move.safeParse(parseJson(await bodyOf(request)));
      if (!move.success) throw new Refusal('invalid_request', { message: moveShape });
      try {
        if ('now' in move.data) await clock.advanceTo(Date.parse(move.data.now));
        else await clock.advanceBy(move.data.advanceSeconds * 1000);
      } catch (error) {
        if (!(error instanceof ClockError)) throw error;
        throw new Refusal('invalid_request', { message: error.message });
      }
      return time();
    },
    'GET /_local/health': async () => {
      const status = await parts.health();
      return json({ status }, status === 'ok' ? 200 : 503);
    },
    'GET /_local/demo': async () => json(await demo()),
    'GET /_local/examples': async () => json(await exampleValues(options, await demo())),
    'GET /_local/console': () => page(consolePage),
    'GET /_local/billing': async () => redirect((await demo()).subscription.billingPath),
  });
}

async function submit(
  { options, people, demo }: Stage,
  actions: LocalActions,
  request: LocalRequest,
): Promise<Answer> {
  const fields = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
  const person = personNames.find((one) => one === fields.person);
  const { host } = request.message.headers;
  const origin = host === undefined ? options.origin() : `http://${host}`;
  const enter = async (path: string, session: Awaited<ReturnType<typeof signInAs>>) =>
    'cookies' in session
      ? redirect(path, session.cookies)
      : redirect(`/_local?done=${await actions.note(async () => session.problem)}`);
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
  if (!action.success) throw new Refusal('invalid_request', { details: { action: 'of a form of /_local' } });
  return redirect(`/_local?done=${await actions.do(action.data)}`);
}
