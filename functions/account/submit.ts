import type { Input, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { submitterOf } from '../shared/sign-in/attempt.ts';
import { formTokenOf, isFormTokenValid } from '../shared/sign-in/session.ts';
import { accountCookie, userOfSession } from './access/session.ts';
import { accessDeps, signOutEverywhere, withdraw } from './actions/access.ts';
import { deviceDeps, removeAll, removeDevice, removeOthers } from './actions/devices.ts';
import { send, signIn, signInDeps, signOut, switchUser } from './actions/sign-in.ts';
import {
  formTokenMismatch,
  incompleteForm,
  sessionEnded,
  withAccountErrorPages,
} from './pages/error-pages.ts';
import { routes } from './routes.ts';

const submitDeps = () => ({ ...signInDeps(), ...deviceDeps(), ...accessDeps(), clock });

/** What each button does for anyone. */
const openSteps = { send, resend: send, 'sign-in': signIn, 'sign-out': signOut };
/** What each button does for a signed-in user. */
const userSteps = {
  switch: switchUser,
  remove: removeDevice,
  keep: removeOthers,
  'remove-all': removeAll,
  withdraw,
};

/** Handles a form of the account page. */
export async function submitAccount(
  { headers, body, remote, baseUrl }: Input<typeof routes.submit>,
  deps: ReturnType<typeof submitDeps>,
): Promise<Reply> {
  const sessionToken = accountCookie.read(headers.cookie, baseUrl);
  if (sessionToken === undefined) return sessionEnded();
  if (!isFormTokenValid(sessionToken, body.form)) return formTokenMismatch();
  const nowMs = deps.clock.nowMs();
  const formToken = formTokenOf(sessionToken);
  const submission = Object.assign(submitterOf(remote.address), {
    body,
    sessionToken,
    formToken,
    baseUrl,
    nowMs,
  });
  const { step = '' } = body;
  if (isStep(openSteps, step)) return openSteps[step](submission, deps);
  const session = await deps.sessions.find(sessionToken, nowMs);
  if (session === undefined) return sessionEnded();
  // Before the user is checked: a repeat comes with a session that the first one has ended.
  if (step === 'sign-out-everywhere') return signOutEverywhere(submission, session, deps);
  const user = userOfSession(session, await deps.getUser(session.userId));
  if (user === undefined) return sessionEnded();
  if (!isStep(userSteps, step)) return incompleteForm();
  return userSteps[step](Object.assign(submission, { session, user }), deps);
}

function isStep<T extends object>(steps: T, step: string): step is keyof T & string {
  return Object.hasOwn(steps, step);
}

export const handler = withAccountErrorPages(endpoint(routes.submit, submitAccount, submitDeps));
