import { foundApplication } from '../shared/accounts/applications.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { route } from './contracts/key-create.ts';
import { addKeyTo } from './key-changes.ts';
import { newKey } from './keys.ts';

/** Creates another key of an application. */
export async function createKey({
  params: { id },
  body: { kind, expiresInDays },
  caller,
}: Input<typeof route>): Promise<Output<typeof route>> {
  const created = newKey(kind, randomToken(), clock.nowMs(), expiresInDays);
  return retryOnConflict(async () => {
    const application = await foundApplication(id);
    const isAdded = await addKeyTo(application, created, caller);
    return isAdded ? { keyId: created.keyId, secret: created.secret } : undefined;
  });
}

export const handler = endpoint(route, createKey, operatorCaller);
