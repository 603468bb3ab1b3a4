import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { formatSecret } from '../shared/contract/secret.ts';
import { endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock, dayMs } from '../shared/runtime/clock.ts';
import { newId } from '../shared/runtime/ids.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { createdBefore, idempotentRequest } from '../shared/table/idempotency.ts';
import { operatorKeyCreateRoute } from './contracts/keys.ts';
import { operatorKeyStore } from './operator-keys/store.ts';

/** Creates an operator key. A repeated request creates none: only the first response has the secret. */
export const createOperatorKey: Handler<typeof operatorKeyCreateRoute> = async ({
  headers,
  body,
  caller,
}) => {
  const { name, scopes, expiresInDays } = body;
  const createdAtMs = clock.nowMs();
  const keyId = newId('key', createdAtMs);
  const secret = formatSecret('operator_key', randomToken());
  const expiresAtMs = expiresInDays === undefined ? undefined : createdAtMs + expiresInDays * dayMs;
  const key = { keyId, name, scopes, createdAtMs, ...defined({ expiresAtMs }) };
  const request = idempotentRequest(caller.keyId, headers, operatorKeyCreateRoute, body);
  const created = await operatorKeyStore.create({ key, secret, by: caller }, request);
  if (created.keyId !== keyId) throw createdBefore('key', created.keyId, 'revoke it and create another one');
  return { keyId, secret };
};

export const handler = endpoint(operatorKeyCreateRoute, createOperatorKey, operatorCaller);
