import { keys } from '../contract/keys.ts';
import type { Write } from '../table/table.ts';
import { auditWrite } from './audit.ts';
import { nextRevision, profileWrite } from './profile-write.ts';
import { getUser } from './users.ts';

/**
 * The writes that record that a user withdrew a grant, for the transaction that revokes it.
 *
 * They are bound to the user as read here: a concurrent write of the user fails the transaction, and the caller tries again.
 */
export async function withdrawalWrites(
  userId: string,
  grant: { id: string; applicationId: string },
  nowMs: number,
): Promise<Write[]> {
  const user = await getUser(userId);
  const revision = nextRevision(user);
  return [
    profileWrite(user, keys.user(userId), { set: '', names: {}, values: {} }),
    auditWrite(userId, { event: 'grant_withdrawn', revision, atMs: nowMs, grant }),
  ];
}
