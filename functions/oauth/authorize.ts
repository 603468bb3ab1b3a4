import { getApplication } from '../shared/accounts/applications.ts';
import { getUser } from '../shared/accounts/users.ts';
import { codeLifetimeMs, storeCode, verifyCode, withdrawCode } from '../shared/auth/one-time-codes.ts';
import { isUnexpired } from '../shared/auth/secrets.ts';
import { defined } from '../shared/contract/defined.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { formatSecret } from '../shared/contract/secret.ts';
import { canonicalEmail } from '../shared/fields/email-address.ts';
import { type Page, redirectReply } from '../shared/html/page.ts';
import { clientKey } from '../shared/lambda/client-key.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { sendMail } from '../shared/mail/mailer.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { newId } from '../shared/runtime/ids.ts';
import { randomToken, sixDigits } from '../shared/runtime/random.ts';
import { consume, type Refusal } from '../shared/table/rate-limit.ts';
import { signInMail } from './emails.ts';
import { pageReply } from './page.ts';
import {
  alreadyAnswered,
  foreignForm,
  nobodyByThatAddress,
  refusal,
  startAgain,
  unknownStep,
  withPages,
} from './refusals.ts';
import { answerUri, carried, checkRequest, pageAddress } from './request.ts';
import { routes } from './routes.ts';
import { codeForBrowser, codeOfRequest, cookieFor, formToken, isFormToken, tokenOf } from './session.ts';
import { maySignIn, signedIn } from './signed-in.ts';
import { codePage, emailPage, type Shown } from './steps.ts';
import { codeStore, sessionStore } from './store.ts';
import { lifetimes } from './token-set.ts';

/** By client address. A code dies with its fifth wrong try whoever tries; this keeps one caller from trying them all. */
const limits = {
  send: { group: 'sign-in-send', max: 3, windowMs: 60_000 },
  try: { group: 'sign-in-try', max: 10, windowMs: 60_000 },
} as const;

const authorizeDeps = () => ({
  getApplication,
  getUser,
  sessions: sessionStore,
  codes: codeStore,
  storeCode,
  withdrawCode,
  verifyCode,
  sendMail,
  hit: consume,
  nowMs,
  randomToken,
  sixDigits,
});
type Deps = ReturnType<typeof authorizeDeps>;

/** A form of the page, once request, session and form token are found good. */
interface Submitted extends Shown {
  body: Input<typeof routes.authorize>['body'];
  /** Of the cookie. */
  token: string;
  rateLimitKey: string;
  baseUrl: string;
  atMs: number;
}

/** Takes one step. Whatever an earlier step found is checked anew: a form can hold anything. */
export async function takeStep(
  { headers, body, remote, baseUrl }: Input<typeof routes.authorize>,
  deps: Deps,
): Promise<Reply> {
  const application = body.client_id === undefined ? undefined : await deps.getApplication(body.client_id);
  const request = checkRequest(body, application);
  if ('tell' in request) return refusal(request, baseUrl);
  const token = tokenOf(headers.cookie, baseUrl);
  if (token === undefined) return startAgain(body);
  if (!isFormToken(token, body.form)) return foreignForm(body);

  const step = Object.hasOwn(steps, body.step ?? '') ? steps[body.step as keyof typeof steps] : undefined;
  if (step === undefined) return unknownStep(body);
  const shown = { request, parameters: body, form: formToken(token) };
  const rateLimitKey = clientKey(remote.address);
  return step({ ...shown, body, token, rateLimitKey, baseUrl, atMs: deps.nowMs() }, deps);
}

const steps = { send, resend: send, 'sign-in': signIn, allow, deny, switch: switchAccount };

/**
 * Mails a code, whoever has the address: nobody is looked up, so neither the answer nor the time it takes says whether
 * there is an account.
 */
async function send(form: Submitted, deps: Deps): Promise<Reply> {
  const { body, token, request, atMs } = form;
  const { storeCode, withdrawCode, sendMail, hit, randomToken, sixDigits } = deps;
  const email = canonicalEmail(body.email ?? '');
  if (email === undefined) return wrongEmail(form);
  const isAgain = body.step === 'resend';
  const slow = ({ retryAfterSeconds }: Refusal) => {
    const notice = `Too many codes were asked for. Try again in ${retryAfterSeconds} seconds.`;
    const page = isAgain ? codePage(form, { email, notice }) : emailPage(form, { email, notice });
    return shownPage(form, 429, page, retryAfterSeconds);
  };
  const verdict = await hit(limits.send, form.rateLimitKey, atMs);
  if (!verdict.allowed) return slow(verdict);

  const slot = { purpose: 'sign-in', email } as const;
  const code = sixDigits();
  const codeId = randomToken();
  const refused = await storeCode(slot, { code: codeForBrowser(token, code), codeId }, atMs);
  if (refused !== undefined) return slow(refused);
  try {
    const applicationName = request.application.name;
    await sendMail(email, signInMail({ code, livesMinutes: codeLifetimeMs / 60_000, applicationName }));
  } catch (error) {
    await withdrawCode(slot, codeId);
    throw error;
  }
  return shownPage(
    form,
    200,
    codePage(form, { email, ...(isAgain && { status: 'A new code is on its way to' }) }),
  );
}

async function signIn(form: Submitted, deps: Deps): Promise<Reply> {
  const { body, token, baseUrl, atMs } = form;
  const { sessions, verifyCode, withdrawCode, hit, getUser, randomToken } = deps;
  const email = canonicalEmail(body.email ?? '');
  if (email === undefined) return wrongEmail(form);
  const code = (body.code ?? '').replaceAll(/[\s-]/g, '');
  const wrongCode = (error: string) => shownPage(form, 400, codePage(form, { email, error }));
  if (!/^\d{6}$/.test(code)) return wrongCode('Enter the six digits of the code.');
  const verdict = await hit(limits.try, form.rateLimitKey, atMs);
  if (!verdict.allowed) {
    const notice = `Too many codes were tried. Try again in ${verdict.retryAfterSeconds} seconds.`;
    return shownPage(form, 429, codePage(form, { email, notice }), verdict.retryAfterSeconds);
  }
  const slot = { purpose: 'sign-in', email } as const;
  const codeId = await verifyCode(slot, codeForBrowser(token, code), atMs);
  const refused = () => wrongCode('This code is wrong or has expired. Check it, or ask for a new one.');
  if (codeId === undefined) return refused();

  const userId = await sessions.userIdOf(email);
  const user = userId === undefined ? undefined : maySignIn(await getUser(userId), email);
  if (user === undefined) {
    await withdrawCode(slot, codeId);
    return nobodyByThatAddress(body);
  }
  const session = randomToken();
  if (!(await sessions.start(session, user, { slot, codeId }, atMs))) return refused();
  return redirectReply(pageAddress(body), [cookieFor(session, baseUrl)]);
}

/**
 * Gives the application its code: one for a request and a session. Sent twice by an impatient finger, both answers
 * lead on with the same code; sent again from the browser's history, after the code was used or ran out, there is none.
 */
async function allow(form: Submitted, deps: Deps): Promise<Reply> {
  const { body, token, request, baseUrl, atMs } = form;
  const { codes } = deps;
  const user = await signedIn(token, deps, atMs);
  if (user === undefined) return startAgain(body);
  const { application, redirectUri, scopes, state, challenge, namedRedirect } = request;
  // A challenge is another with every request (RFC 7636 section 4.1); without one the form has to tell them apart.
  const ticket = challenge === undefined ? body.ticket : '';
  if (ticket === undefined) return unknownStep(body);
  const code = formatSecret('authorization_code', codeOfRequest(token, ticket, ...carried(body).flat()));
  const issued = await codes.issue(code, {
    kind: 'authorization_code',
    keyId: newId('key', atMs),
    applicationId: application.applicationId,
    userId: user.userId,
    scopes,
    redirectUri,
    namedRedirect,
    ...defined({ challenge }),
    createdAtMs: atMs,
    expiresAtMs: atMs + lifetimes.codeMs,
  });
  const earlier = issued ? undefined : await codes.find(code);
  if (!issued && (earlier === undefined || earlier.usedAtMs !== undefined || !isUnexpired(earlier, atMs))) {
    return alreadyAnswered();
  }
  return redirectReply(answerUri(redirectUri, { code, state }, baseUrl));
}

function deny({ request: { redirectUri, state }, baseUrl }: Submitted): Reply {
  const answer = { error: 'access_denied', error_description: 'The user said no', state };
  return redirectReply(answerUri(redirectUri, answer, baseUrl));
}

async function switchAccount(
  { body, token, baseUrl }: Submitted,
  { sessions, randomToken }: Deps,
): Promise<Reply> {
  await sessions.end(token);
  return redirectReply(pageAddress(body), [cookieFor(randomToken(), baseUrl)]);
}

function wrongEmail(form: Submitted): Reply {
  const error = 'Enter an e-mail address like name@example.com.';
  return shownPage(form, 400, emailPage(form, { email: form.body.email ?? '', error }));
}

/** The cookie is renewed, so that the browser keeps it as long as the page may be used. */
function shownPage(form: Submitted, status: number, page: Page, retryAfterSeconds?: number): Reply {
  const { redirectUri } = form.request;
  return pageReply(status, page, {
    redirectUri,
    cookies: [cookieFor(form.token, form.baseUrl)],
    retryAfterSeconds,
  });
}

export const handler = withPages(endpoint(routes.authorize, takeStep, authorizeDeps));
