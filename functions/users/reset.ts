import { resetStore } from '../shared/accounts/reset-store.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { sourcesRevocation } from '../shared/auth/codes/verified-sources.ts';
import { grantEndStore } from '../shared/auth/grants/grant-end-store.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { resetRoute } from './contracts/users.ts';
import { toUserResponse } from './present.ts';

/**
 * Ends a user's devices, proof or vault, all or nothing. With the devices end the grants, and their applications are told. Requests at once are carried out one after the other, each with
 * an audit record.
 */
export const resetUser: Handler<typeof resetRoute> = async ({ params: { userId }, body, caller }) => {
  const { devices = false, proof = false, vault = false, reason } = body;
  // A proof belongs to the vault that it was stored with: without the vault nothing would replace it.
  const reset = { devices, proof: proof || vault, vault };
  const atMs = clock.nowMs();
  const write = { atMs, ...caller, ...defined({ reason }), securityStamp: randomToken() };
  return retryOnConflict(async () => {
    const [found, grants] = await Promise.all([
      resetStore.find(userId, reset),
      devices ? grantEndStore.find(userId, atMs) : undefined,
    ]);
    if (found === undefined) throw new ApiError('not_found');
    const ends = grants ? await grantEndStore.endWrites(found.user, grants, { by: 'operator', atMs }) : [];
    const also = devices ? [sourcesRevocation(found.user.email, atMs)] : [];
    const isDone = ends && (await resetStore.reset(found, reset, write, [...ends, ...also]));
    return isDone ? { user: toUserResponse(found.user), reset } : undefined;
  });
};

export const handler = endpoint(resetRoute, resetUser, operatorCaller);
