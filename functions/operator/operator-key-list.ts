import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { isUnexpired } from '../shared/contract/secret.ts';
import { endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock, isoTime, optionalIsoTime } from '../shared/runtime/clock.ts';
import { operatorKeyListRoute } from './contracts/keys.ts';
import { operatorKeyStore } from './operator-keys/store.ts';

export const listOperatorKeys: Handler<typeof operatorKeyListRoute> = async (_input) => {
  const nowMs = clock.nowMs();
  const stored = await operatorKeyStore.list();
  return {
    keys: stored
      .filter((key) => isUnexpired(key, nowMs))
      .map(({ createdAtMs, expiresAtMs, scopes, ...key }) => ({
        ...key,
        scopes: [...scopes],
        createdAt: isoTime(createdAtMs),
        ...defined({ expiresAt: optionalIsoTime(expiresAtMs) }),
      })),
  };
};

export const handler = endpoint(operatorKeyListRoute, listOperatorKeys, operatorCaller);
