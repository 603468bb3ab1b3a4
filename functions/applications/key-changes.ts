import { type Application, foundApplication } from '../shared/accounts/applications.ts';
import type { Authorship } from '../shared/contract/audit.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Operator } from '../shared/contract/operator-scopes.ts';
import { clock } from '../shared/runtime/clock.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { keyIdsByExpiry, maxActiveKeysPerKind, type NewKey } from './keys.ts';
import { applicationStore } from './store.ts';

type KeyAuthor = Operator & Pick<Authorship, 'reason'>;

/**
 * Adds a key, unless the application has it already: the response to the write was lost, and the SDK sent the write again.
 *
 * The keys are part of the application's record, and the write is conditioned on that record, so that concurrent requests
 * cannot exceed the maximum.
 *
 * @param others are written in its transaction.
 * @returns false when the application has changed; nothing is written then.
 * @throws ApiError `conflict` when the application has the most keys of the kind.
 */
export async function addKeyTo(
  application: Application,
  created: NewKey,
  by: KeyAuthor,
  others: Parameters<typeof applicationStore.addKey>[4] = [],
): Promise<boolean> {
  if (created.keyId in application.keys) return true;
  const { kind, createdAtMs } = created.key;
  const { active, expired } = keyIdsByExpiry(application, kind, createdAtMs);
  if (active.length >= maxActiveKeysPerKind) {
    const reason = `there are ${maxActiveKeysPerKind} already; revoke one first: ${active.join(' or ')}`;
    throw new ApiError('conflict', { details: { kind: reason } });
  }
  return applicationStore.addKey(application, created, expired, { atMs: clock.nowMs(), ...by }, others);
}

/**
 * Revokes a key of an application: removed from the table at once, and from the cache of every function
 * within `revocationSeconds`. With the last key, all that users granted the application ends.
 *
 * @returns whether the application had the key.
 * @throws ApiError `not_found` without the application.
 */
export function revokeKeyOf(applicationId: string, keyId: string, by: KeyAuthor): Promise<boolean> {
  return retryOnConflict(async () => {
    const application = await foundApplication(applicationId);
    const key = Object.entries(application.keys).find(([one]) => one === keyId)?.[1];
    if (key === undefined) return false;
    const authorship = { atMs: clock.nowMs(), ...by };
    return (await applicationStore.removeKey(application, { keyId, key }, authorship)) || undefined;
  });
}
