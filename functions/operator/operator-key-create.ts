import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import type { Handler } from '../shared/contract/route.ts';
import { formatSecret } from '../shared/contract/secret.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { dayMs } from '../shared/runtime/duration.ts';
import { newId } from '../shared/runtime/ids.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { route } from './contracts/operator-key-create.ts';
import { operatorKeyStore } from './operator-keys/store.ts';

export const createOperatorKey: Handler<typeof route> = async ({
  body: { name, scopes, expiresInDays },
  caller,
}) => {
  const createdAtMs = clock.nowMs();
  const keyId = newId('key', createdAtMs);
  const secret = formatSecret('operator_key', randomToken());
  const expiresAtMs = expiresInDays === undefined ? undefined : createdAtMs + expiresInDays * dayMs;
  await operatorKeyStore.create(
    { keyId, name, scopes, createdAtMs, ...defined({ expiresAtMs }) },
    secret,
    caller,
  );
  return { keyId, secret };
};

export const handler = endpoint(route, createOperatorKey, operatorCaller);
