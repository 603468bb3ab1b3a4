import type { output } from 'zod/mini';
import type { Application, ApplicationKey } from '../shared/accounts/applications.ts';
import { defined } from '../shared/contract/defined.ts';
import { isoTime, optionalIsoTime } from '../shared/runtime/clock.ts';
import type { OneApplication } from './schemas.ts';

/**
 * An application with the hints of its keys, the oldest key first.
 *
 * @param usedAtMs the last use of each key, by its id. A new application has none.
 */
export function toApplicationResponse(
  application: Application,
  usedAtMs: ReadonlyMap<string, number> = new Map(),
): output<typeof OneApplication>['application'] {
  const { applicationId, name, redirectUris, settings, keys, revision, createdAtMs, updatedAtMs } =
    application;
  return {
    _id: applicationId,
    name,
    clientId: applicationId,
    redirectUris: [...redirectUris],
    settings,
    keys: Object.entries(keys)
      .map(([keyId, key]) => ({ keyId, ...toKeyResponse(key, usedAtMs.get(keyId)) }))
      .sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1)),
    revision,
    createdAt: isoTime(createdAtMs),
    updatedAt: isoTime(updatedAtMs ?? createdAtMs),
  };
}

const sortKey = (key: { createdAt: string; kind: string; keyId: string }) =>
  [key.createdAt, key.kind, key.keyId].join();

function toKeyResponse(
  { kind, hint, createdAtMs, expiresAtMs }: ApplicationKey,
  usedAtMs: number | undefined,
) {
  return {
    kind,
    hint,
    createdAt: isoTime(createdAtMs),
    ...defined({ expiresAt: optionalIsoTime(expiresAtMs), lastUsedAt: optionalIsoTime(usedAtMs) }),
  };
}
