import { foundApplication } from '../shared/accounts/applications.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import {
  createdBefore,
  idempotentRequest,
  responseWrites,
  storedResponse,
} from '../shared/table/idempotency.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { addKeyTo } from './key-changes.ts';
import { newKey } from './keys.ts';
import { keyCreateRoute } from './routes.ts';

/** Creates another key of an application. A repeated request creates none: only the first response has the secret. */
export const createKey: Handler<typeof keyCreateRoute> = async ({
  params: { id },
  headers,
  body: { kind, expiresInDays },
  caller,
}) => {
  const nowMs = clock.nowMs();
  const created = newKey(kind, randomToken(), nowMs, expiresInDays);
  const { keyId, secret } = created;
  const body = { id, kind, expiresInDays };
  const request = idempotentRequest(id, headers, keyCreateRoute, body);
  return retryOnConflict(async () => {
    const [application, earlier] = await Promise.all([
      foundApplication(id),
      storedResponse<{ keyId: string }>(request, nowMs),
    ]);
    if (earlier !== undefined && earlier.keyId !== keyId)
      throw createdBefore('key', earlier.keyId, 'revoke it and create another one');
    const writes = responseWrites(request, { keyId }, nowMs);
    return (await addKeyTo(application, created, caller, writes)) ? { keyId, secret } : undefined;
  });
};

export const handler = endpoint(keyCreateRoute, createKey, operatorCaller);
