import { resetStore } from '../../shared/accounts/reset-store.ts';
import { hasCurrentStamp } from '../../shared/accounts/security-stamp.ts';
import { withdrawalWrites } from '../../shared/accounts/withdrawal.ts';
import { sourcesRevocation } from '../../shared/auth/codes/verified-sources.ts';
import { type Grant, isUsable } from '../../shared/auth/grants/grant.ts';
import { grantEndStore } from '../../shared/auth/grants/grant-end-store.ts';
import { grantStore } from '../../shared/auth/grants/grant-store.ts';
import type { Reply } from '../../shared/contract/route.ts';
import { randomToken } from '../../shared/runtime/random.ts';
import { passCookie } from '../../shared/sign-in/mailbox-cookies.ts';
import type { Session } from '../../shared/sign-in/session-store.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import { userOfSession } from '../access/session.ts';
import { incompleteForm, sessionEnded } from '../pages/error-pages.ts';
import { signedOutReply } from './sign-in.ts';
import { doneReply, type SignedInSubmission, type Submission } from './submission.ts';

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
