import { nextRevision } from '../shared/accounts/profile-write.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { requireRevision } from '../shared/fields/revision.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { upsertRoute } from './contracts/users.ts';
import { toUserResponse } from './present.ts';
import { userStore } from './store.ts';

/**
 * Creates or replaces a user. The address is an item of its own, claimed in the same transaction, so that it
 * stays unique.
 *
 * Whoever verified another address under the user id loses what they set up: the transaction that changes the address
 * replaces the security stamp.
 */
export const upsertUser: Handler<typeof upsertRoute> = async ({
  params: { userId },
  body: { revision, ...fields },
  caller,
}) => {
  const nowMs = clock.nowMs();
  const authorship = { atMs: nowMs, securityStamp: randomToken(), ...caller };
  return retryOnConflict(async () => {
    const { user: current, addressOwnerId } = await userStore.getWithAddressOwner(userId, fields.email);
    if (addressOwnerId !== undefined && addressOwnerId !== userId) {
      throw new ApiError('conflict', { details: { email: 'belongs to another user' } });
    }
    requireRevision(current?.revision ?? 0, revision);
    const user = { userId, ...fields, createdAtMs: current?.createdAtMs ?? nowMs, updatedAtMs: nowMs };
    return (await userStore.put(current, user, authorship))
      ? { user: toUserResponse({ ...user, revision: nextRevision(current) }) }
      : undefined;
  });
};

export const handler = endpoint(upsertRoute, upsertUser, operatorCaller);
