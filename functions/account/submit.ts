import { resetStore } from '../shared/accounts/reset-store.ts';
import { hasCurrentStamp } from '../shared/accounts/security-stamp.ts';
import { getUser } from '../shared/accounts/users.ts';
import { withdrawalWrites } from '../shared/accounts/withdrawal.ts';
import { sourcesRevocation } from '../shared/auth/codes/verified-sources.ts';
import { type Grant, isUsable } from '../shared/auth/grants/grant.ts';
import { grantEndStore } from '../shared/auth/grants/grant-end-store.ts';
import { grantStore } from '../shared/auth/grants/grant-store.ts';
import { redirectReply } from '../shared/html/page.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { submitterOf } from '../shared/sign-in/attempt.ts';
import { passCookie } from '../shared/sign-in/mailbox-cookies.ts';
import { formTokenOf, isFormTokenValid } from '../shared/sign-in/session.ts';
import { accountSessions, type Session } from '../shared/sign-in/session-store.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { accountDevices, inEffect } from './access/devices-store.ts';
import { accountCookie, userOfSession } from './access/session.ts';
import { send, signedOutReply, signIn, signOut, switchUser } from './actions/sign-in.ts';
import { doneReply, type SignedInSubmission, type Submission } from './actions/submission.ts';
import {
  formTokenMismatch,
  incompleteForm,
  sessionEnded,
  withAccountErrorPages,
} from './pages/error-pages.ts';
import { accountUri } from './pages/sign-in-pages.ts';
import { submitRoute } from './routes.ts';

/** Grants of an application that one form withdraws. Each is a consent that the person gave, so that more are rare. */
const maxGrants = 100;

/**
 * Withdraws all grants of an application, each in one transaction with its event and an audit record. An application that has none gets the
 * same response. With more grants than one form withdraws, the page asks to withdraw it once more.
 */
export async function withdraw({
  body,
  user: { userId },
  sessionToken,
  nowMs,
}: SignedInSubmission): Promise<Reply> {
  const { application } = body;
  if (application === undefined || application === '') return incompleteForm();
  const isTheirs = (grant: Grant) => grant.applicationId === application && isUsable(grant, nowMs);
  const open = await grantStore.list(userId, isTheirs, {
    // One beyond the limit shows whether there are more.
    limit: maxGrants + 1,
    startAfter: undefined,
  });
  // One after the other: each changes the revision of the user.
  for (const { familyId } of open.slice(0, maxGrants)) {
    await grantStore.revoke({ familyId, userId }, { by: 'user', atMs: nowMs }, () =>
      withdrawalWrites(userId, { atMs: nowMs }),
    );
  }
  return doneReply(sessionToken, open.length > maxGrants ? 'part' : 'application');
}

/**
 * Ends every device, session, grant and token of the user, in one transaction with the events and an audit record. The session is one of them. Vault
 * and proof stay.
 *
 * A session of a former security stamp means that it is done: of forms that are submitted at once, one is carried out.
 * A user who was suspended meanwhile changes nothing.
 */
export async function signOutEverywhere({ baseUrl, nowMs }: Submission, session: Session): Promise<Reply> {
  const ended = { devices: true, proof: false, vault: false };
  const write = { atMs: nowMs, securityStamp: randomToken() };
  const outcome = await retryOnConflict(async () => {
    const [found, grants] = await Promise.all([
      resetStore.find(session.userId, ended),
      grantEndStore.find(session.userId, nowMs),
    ]);
    if (found === undefined || !hasCurrentStamp(found.user, session)) return 'done';
    if (userOfSession(session, found.user) === undefined) return 'refused';
    const ends = await grantEndStore.endWrites(found.user, grants, { by: 'user', atMs: nowMs });
    if (ends === undefined) return undefined;
    const also = [...ends, sourcesRevocation(session.email, nowMs)];
    return (await resetStore.reset(found, ended, write, also)) ? 'ended' : undefined;
  });
  if (outcome === 'refused') return sessionEnded();
  // The other passes have ended; the person at this browser goes on getting codes.
  const passes = outcome === 'ended' ? [await passCookie(session.email, baseUrl, nowMs)] : [];
  return signedOutReply(randomToken(), 'everywhere', baseUrl, passes);
}

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
