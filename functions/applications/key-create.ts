import { getApplication } from '../shared/accounts/applications.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { route } from './contracts/key-create.ts';
import { keyIdsByExpiry, maxActiveKeysPerKind, newKey } from './keys.ts';
import { applicationStore } from './store.ts';

/**
 * Creates another key of an application.
 *
 * The keys are part of the application's record, and the write is conditioned on that record, so that
 * concurrent requests cannot exceed the maximum.
 */
export async function createKey({
  params: { id },
  body: { kind, expiresInDays },
  caller,
}: Input<typeof route>): Promise<Output<typeof route>> {
  const nowMs = clock.nowMs();
  const created = newKey(kind, randomToken(), nowMs, expiresInDays);
  const response = { keyId: created.keyId, secret: created.secret };
  return retryOnConflict(async () => {
    const application = await getApplication(id);
    if (application === undefined) throw new ApiError('not_found');
    // The response to the write was lost, and the SDK sent the write again.
    if (created.keyId in application.keys) return response;
    const { active, expired } = keyIdsByExpiry(application, kind, nowMs);
    if (active.length >= maxActiveKeysPerKind) {
      const reason = `there are ${maxActiveKeysPerKind} already; revoke one first: ${active.join(' or ')}`;
      throw new ApiError('conflict', { details: { kind: reason } });
    }
    const isAdded = await applicationStore.addKey(application, created, expired, {
      atMs: clock.nowMs(),
      ...caller,
    });
    return isAdded ? response : undefined;
  });
}

export const handler = endpoint(route, createKey, operatorCaller);
