import { auditWrite } from '../audit/write.ts';
import type { Authorship } from '../contract/audit.ts';
import * as keys from '../contract/keys.ts';
import type { Write } from '../table/table.ts';
import { nextRevision, profileWrite } from './profile-write.ts';
import { getUser } from './users.ts';

interface Withdrawn {
  familyId: string;
  applicationId: string;
}

/**
 * The writes that record that a user or an operator withdrew a grant, for the transaction that revokes it.
 *
 * They are bound to the user as read here: a concurrent write of the user fails the transaction, and the caller tries again.
 */
export async function withdrawalWrites(
  userId: string,
  authorship: Authorship,
): Promise<(grant: Withdrawn) => Write[]> {
  const user = await getUser(userId);
  const revision = nextRevision(user);
  return ({ familyId: id, applicationId }) => [
    profileWrite(user, keys.user(userId), { set: '', values: {} }),
    auditWrite(
      { id: userId },
      { ...authorship, action: 'user.grant_withdrawn', revision, grant: { id, applicationId } },
    ),
  ];
}
