import { getUser } from '../shared/accounts/users.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { redirectReply } from '../shared/html/page.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { submitterOf } from '../shared/sign-in/attempt.ts';
import { formTokenOf, isFormTokenValid } from '../shared/sign-in/session.ts';
import { accountSessions } from '../shared/sign-in/session-store.ts';
import { accountDevices, inEffect } from './access/devices-store.ts';
import { accountCookie, userOfSession } from './access/session.ts';
import { signOutEverywhere, withdraw } from './actions/access.ts';
import { send, signIn, signOut, switchUser } from './actions/sign-in.ts';
import { doneReply, type SignedInSubmission } from './actions/submission.ts';
import {
  formTokenMismatch,
  incompleteForm,
  sessionEnded,
  withAccountErrorPages,
} from './pages/error-pages.ts';
import { accountUri } from './pages/sign-in-pages.ts';
import { submitRoute } from './routes.ts';

/** Removes one device. A device that does not exist, or is another user's, gets the same response. */
async function removeDevice({ body, user, sessionToken }: SignedInSubmission): Promise<Reply> {
  if (!isDeviceId(body.device)) return incompleteForm();
  await accountDevices.remove(user.userId, [body.device]);
  return doneReply(sessionToken, 'device');
}

/** Removes all devices but one. When that one is not trusted any more, nothing is removed. */
async function removeOthers({ body, user, sessionToken }: SignedInSubmission): Promise<Reply> {
  if (!isDeviceId(body.device)) return incompleteForm();
  const all = await accountDevices.list(user.userId);
  if (!inEffect(all, user).some(({ deviceId }) => deviceId === body.device)) {
    return doneReply(sessionToken, 'gone');
  }
  const others = all.map(({ deviceId }) => deviceId).filter((deviceId) => deviceId !== body.device);
  await accountDevices.remove(user.userId, others);
  return doneReply(sessionToken, 'others');
}

async function removeAll({ user, sessionToken }: SignedInSubmission): Promise<Reply> {
  const all = await accountDevices.list(user.userId);
  await accountDevices.remove(
    user.userId,
    all.map(({ deviceId }) => deviceId),
  );
  return doneReply(sessionToken, 'devices');
}

const isDeviceId = (text: string | undefined): text is string => text !== undefined && text !== '';

const openSteps = { send, resend: send, 'sign-in': signIn, 'sign-out': signOut };
const userSteps = {
  switch: switchUser,
  remove: removeDevice,
  keep: removeOthers,
  'remove-all': removeAll,
  withdraw,
};

/** Steps that replace the token of the browser, and whether somebody is signed in with the new one. */
const sessionAfter: ReadonlyMap<string, boolean> = new Map([
  ['sign-in', true],
  ['switch', true],
  ['sign-out', false],
  ['sign-out-everywhere', false],
]);

export async function submitAccount({
  headers,
  body,
  remote,
  baseUrl,
}: Input<typeof submitRoute>): Promise<Reply> {
  const sessionToken = accountCookie.read(headers.cookie, baseUrl);
  if (sessionToken === undefined) return sessionEnded();
  const nowMs = clock.nowMs();
  const { step = '' } = body;
  if (!isFormTokenValid(sessionToken, body.form)) {
    const isDone = await isDoneAlready(step, sessionToken, nowMs);
    return isDone ? redirectReply(accountUri) : formTokenMismatch();
  }
  const formToken = formTokenOf(sessionToken);
  const submission = Object.assign(submitterOf(remote.address, headers.cookie, baseUrl), {
    body,
    sessionToken,
    formToken,
    baseUrl,
    nowMs,
  });
  if (isStep(openSteps, step)) return openSteps[step](submission);
  const session = await accountSessions.find(sessionToken, nowMs);
  if (session === undefined) return sessionEnded();
  // Before the user is checked: a repeat comes with a session that the first one has ended.
  if (step === 'sign-out-everywhere') return signOutEverywhere(submission, session);
  const user = userOfSession(session, await getUser(session.userId));
  if (user === undefined) return sessionEnded();
  if (!isStep(userSteps, step)) return incompleteForm();
  return userSteps[step](Object.assign(submission, { session, user }));
}

/**
 * Whether an old form asks for what is so already: a double click submits it again when the first response has replaced the
 * session. The page is shown then, and nothing is done.
 */
async function isDoneAlready(step: string, sessionToken: string, nowMs: number): Promise<boolean> {
  const leavesSession = sessionAfter.get(step);
  if (leavesSession === undefined) return false;
  return leavesSession === ((await accountSessions.find(sessionToken, nowMs)) !== undefined);
}

function isStep<T extends object>(steps: T, step: string): step is keyof T & string {
  return Object.hasOwn(steps, step);
}

export const handler = withAccountErrorPages(endpoint(submitRoute, submitAccount));
