import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { liveKeysPerKind } from './application.ts';
import { keysOf, makeKey } from './keys.ts';
import { routes } from './routes.ts';
import { applicationStore } from './store.ts';

const createDeps = () => ({ applications: applicationStore, nowMs, randomToken });

/**
 * Makes a further key of an application.
 *
 * Counted in the application's own record, to which the write is bound: of any number of requests at once no more
 * than two keys of a kind come to live.
 */
export async function createKey(
  { params: { id }, body: { kind, expiresInDays } }: Input<(typeof routes)['key-create']>,
  { applications, nowMs, randomToken }: ReturnType<typeof createDeps>,
): Promise<Output<(typeof routes)['key-create']>> {
  const atMs = nowMs();
  const made = makeKey(kind, randomToken(), atMs, expiresInDays);
  return retryOnConflict(async () => {
    const application = await applications.get(id);
    if (application === undefined) throw new ApiError('not_found');
    // The answer to the write was lost, and it was sent again.
    if (made.keyId in application.keys) return { keyId: made.keyId, secret: made.secret };
    const { live, dead } = keysOf(application, kind, atMs);
    if (live.length >= liveKeysPerKind) {
      const reason = `there are ${liveKeysPerKind} already; revoke one first: ${live.join(' or ')}`;
      throw new ApiError('conflict', { details: { kind: reason } });
    }
    const added = await applications.addKey(application, made, dead);
    return added ? { keyId: made.keyId, secret: made.secret } : undefined;
  });
}

export const handler = endpoint(routes['key-create'], createKey, createDeps, operatorCaller);
