import { type Application, getApplications } from '../../shared/accounts/applications.ts';
import { getUser, type User } from '../../shared/accounts/users.ts';
import { isUsable } from '../../shared/auth/grants/grant.ts';
import { grantStore } from '../../shared/auth/grants/grant-store.ts';
import type { Session } from '../../shared/sign-in/session-store.ts';
import { type AllowedApplication, allowedApplications } from './allowed-applications.ts';
import { type AccountDevice, accountDevices, inEffect } from './devices-store.ts';
import { userOfSession } from './session.ts';
import { findUsersOf } from './users-of-mailbox.ts';

const grantsPerPage = 20;

export interface Overview {
  user: User;
  devices: AccountDevice[];
  applications: AllowedApplication[];
  /** The id of the last grant of the page, when there are more. */
  lastGrantId: string | undefined;
  users: User[];
}

/**
 * Reads it, all concurrently.
 *
 * @param startAfter the id of the last grant of the page before.
 * @returns undefined when the session has ended with the user's access.
 */
export async function readOverview(
  session: Session,
  startAfter: string | undefined,
  nowMs: number,
): Promise<Overview | undefined> {
  const { userId } = session;
  // One beyond the limit shows whether there are more.
  const page = { limit: grantsPerPage + 1, startAfter };
  const readGrants = async () => {
    const all = await grantStore.list(userId, (grant) => isUsable(grant, nowMs), page);
    const shown = all.slice(0, grantsPerPage);
    const applications: Map<string, Application> =
      shown.length === 0 ? new Map() : await getApplications(shown.map((grant) => grant.applicationId));
    return { shown, applications, hasMore: all.length > grantsPerPage };
  };
  const [present, trusted, { shown, applications, hasMore }, users] = await Promise.all([
    getUser(userId),
    accountDevices.list(userId),
    readGrants(),
    findUsersOf(session.email),
  ]);
  const user = userOfSession(session, present);
  if (user === undefined) return undefined;
  return {
    user,
    devices: inEffect(trusted, user),
    applications: allowedApplications(shown, user, applications),
    lastGrantId: hasMore ? shown.at(-1)?.familyId : undefined,
    users,
  };
}
