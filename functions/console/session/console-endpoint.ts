import { allows, type OperatorScope } from '../../shared/contract/operator-scopes.ts';
import { type Input, Reply, type Route } from '../../shared/contract/route.ts';
import type { CookieHeaders } from '../../shared/fields/cookie-headers.ts';
import { redirectReply } from '../../shared/html/page.ts';
import { deployedFile } from '../../shared/lambda/deployed-file.ts';
import { endpoint, type LambdaHandler } from '../../shared/lambda/endpoint.ts';
import { clock } from '../../shared/runtime/clock.ts';
import { formTokenOf, isFormTokenValid } from '../../shared/sign-in/session.ts';
import { consoleFrame, framed } from '../pages/frame.ts';
import { expiredForm, missingScope, withConsoleErrorPages } from '../pages/refusals.ts';
import {
  type Answer,
  addressesFrom,
  type ConsolePath,
  filled,
  pageNamed,
  type Visit,
  withQuery,
} from '../pages/visit.ts';
import { consoleCookie, formTag, noticeTag, readForm, readNotice } from './session.ts';
import { consoleSessions } from './session-store.ts';

/** A page of the console, or the form that is sent to it. */
type ConsoleRoute = Route & {
  readonly path: ConsolePath;
  readonly auth: 'none';
  readonly headers: typeof CookieHeaders;
};

/** The scope that a request needs; `any` for every operator. */
type NeededScope<R extends Route> = OperatorScope | 'any' | ((input: Input<R>) => OperatorScope | 'any');

type Handle<R extends Route> = (input: Input<R>) => Promise<Reply>;

/** The part of an input that every route of the console has. A page has no body. */
interface Asked {
  headers: { cookie?: string | undefined };
  params: object | undefined;
  query: object | undefined;
  body: object | undefined;
  remote: { address: string };
  baseUrl: string;
}

/**
 * The endpoint of a page or a form of operators who are signed in to the console. Without a session the browser is led to the
 * sign-in, and back to the page. A form needs the anti-forgery token of the session. Errors are pages.
 *
 * @param scope that the operator key needs at this request.
 * @param answer receives what the route declares, and the visit. An `ApiError` that it throws becomes a page.
 */
export function consoleEndpoint<R extends ConsoleRoute>(
  route: R,
  scope: NeededScope<R>,
  answer: (input: Input<R>, visit: Visit) => Promise<Answer> | Answer,
): LambdaHandler {
  return withConsoleErrorPages(route.path, endpoint(route, forOperator(route, scope, answer)));
}

function forOperator<R extends ConsoleRoute>(
  route: R,
  scope: NeededScope<R>,
  answer: (input: Input<R>, visit: Visit) => Promise<Answer> | Answer,
): Handle<R> {
  return async (input) => {
    const token = consoleCookie.read(input.headers.cookie, input.baseUrl);
    const visit = token === undefined ? undefined : await visitOf(route, token, input);
    if (token === undefined || visit === undefined) return toSignIn(route, input);
    if (route.method !== 'GET' && !isFormTokenValid(token, textOf(input.body, 'form')))
      return consoleFrame.reply(403, framed(expiredForm, visit));
    const needed = typeof scope === 'function' ? scope(input) : scope;
    if (needed !== 'any' && !allows(visit.scopes, needed))
      return consoleFrame.reply(403, framed(missingScope(needed), visit));
    const answered = await answer(input, visit);
    if (answered.kind === 'page') return pageReply(answered, visit, (await deployedFile('console.js')).text);
    if (answered.kind === 'file') return fileReply(answered);
    if (answered.kind === 'document') return answered.reply;
    const { path, notice, form } = answered;
    const tags = { notice: noticeTag(token, notice), noticeForm: form && formTag(token, form) };
    return redirectReply(visit.uri(withQuery(path, tags)));
  };
}

/** A page, with the script of lib/console-page. Work that goes on makes the browser load it again: https://html.spec.whatwg.org/multipage/document-lifecycle.html#shared-declarative-refresh-steps */
function pageReply(page: Extract<Answer, { kind: 'page' }>, visit: Visit, script: string): Reply {
  const { status, headers, body } = consoleFrame.reply(
    page.status,
    framed(Object.assign({ script }, page), visit),
  );
  if (page.refreshSeconds === undefined) return new Reply(status, { headers, body });
  return new Reply(status, { headers: { ...headers, refresh: String(page.refreshSeconds) }, body });
}

function fileReply({ name, type, body }: Extract<Answer, { kind: 'file' }>): Reply {
  const headers = {
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'referrer-policy': 'no-referrer',
  };
  return new Reply(200, { headers, body });
}

/** The visit of a session. Undefined when the session or its operator key has ended. */
async function visitOf(
  { path }: ConsoleRoute,
  token: string,
  { params = {}, query = {}, remote }: Asked,
): Promise<Visit | undefined> {
  const nowMs = clock.nowMs();
  const found = await consoleSessions.find(token, nowMs);
  if (found === undefined) return undefined;
  const { keyId, name, scopes } = found.key;
  const { notice, noticeForm, ...asked } = textsOf(query);
  return Object.assign(addressesFrom(path), {
    operator: { keyId, name, from: remote.address },
    scopes,
    formToken: formTokenOf(token),
    path: filled(path, params),
    query: asked,
    notice: readNotice(token, notice),
    noticeForm: readForm(token, noticeForm, nowMs),
    nowMs,
    sessionEndsAtMs: Math.min(found.session.expiresAtMs, found.key.expiresAtMs ?? Number.POSITIVE_INFINITY),
  });
}

/** Leads to the sign-in, which leads back to the page. A form is not sent again: its page says so. */
function toSignIn({ path, method }: ConsoleRoute, { params = {}, query = {}, body }: Asked): Reply {
  const { notice: _, noticeForm: __, ...asked } = textsOf(query);
  // The forms of operations are sent to paths that have no page.
  const page = textOf(body, 'page');
  const next = page === undefined ? withQuery(filled(path, params), asked) : pageNamed(page);
  const notice = method === 'GET' ? undefined : 'ended';
  return redirectReply(addressesFrom(path).uri(withQuery('/console/sign-in', { next, notice })));
}

const textOf = (fields: object | undefined, name: string): string | undefined => textsOf(fields ?? {})[name];

/** The fields as texts. */
function textsOf(fields: object): Record<string, string | undefined> {
  const texts = Object.entries(fields).map(([name, value]) => [
    name,
    value === undefined ? undefined : String(value),
  ]);
  return Object.fromEntries(texts);
}
