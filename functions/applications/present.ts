/** Applications as operators see them: without hashes, and times as text. */
import type { output } from 'zod/mini';
import type { Application, ApplicationKey } from '../shared/accounts/applications.ts';
import { defined } from '../shared/contract/defined.ts';
import { isoTime, optionalIsoTime } from '../shared/runtime/clock.ts';
import type { OneApplication } from './schemas.ts';

/** An application with the hints of its keys, the oldest key first. */
export function toApplicationResponse(
  application: Application,
): output<typeof OneApplication>['application'] {
  const { applicationId, name, redirectUris, settings, keys, createdAtMs, updatedAtMs } = application;
  return {
    _id: applicationId,
    name,
    clientId: applicationId,
    redirectUris: [...redirectUris],
    settings,
    keys: Object.entries(keys)
      .map(([keyId, key]) => ({ keyId, ...toKeyResponse(key) }))
      .sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1)),
    createdAt: isoTime(createdAtMs),
    updatedAt: isoTime(updatedAtMs ?? createdAtMs),
  };
}

const sortKey = (key: { createdAt: string; kind: string; keyId: string }) =>
  [key.createdAt, key.kind, key.keyId].join();

function toKeyResponse({ kind, hint, createdAtMs, expiresAtMs }: ApplicationKey) {
  return {
    kind,
    hint,
    createdAt: isoTime(createdAtMs),
    ...defined({ expiresAt: optionalIsoTime(expiresAtMs) }),
  };
}
