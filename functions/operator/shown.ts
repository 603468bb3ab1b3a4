/** Records as operators see them: what the table keeps, without hashes, and times as text. */

import type { Application, ApplicationKey } from '../shared/accounts/applications.ts';
import type { SocialAccount, User } from '../shared/accounts/users.ts';
import { defined } from '../shared/contract/defined.ts';
import type { Output } from '../shared/contract/route.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import type { routes } from './routes.ts';

/** An application as operators see it: its keys by their hints, the oldest first. */
export function shownApplication(
  application: Application,
): Output<(typeof routes)['application-read']>['application'] {
  const { applicationId, name, redirectUris, settings, keys, createdAtMs, updatedAtMs } = application;
  return {
    _id: applicationId,
    name,
    clientId: applicationId,
    redirectUris: [...redirectUris],
    settings,
    keys: Object.entries(keys)
      .map(([keyId, key]) => ({ keyId, ...shownKey(key) }))
      .sort((one, other) => (sortText(one) < sortText(other) ? -1 : 1)),
    createdAt: isoTime(createdAtMs),
    updatedAt: isoTime(updatedAtMs ?? createdAtMs),
  };
}

const sortText = (key: { createdAt: string; kind: string; keyId: string }) =>
  [key.createdAt, key.kind, key.keyId].join();

function shownKey({ kind, hint, createdAtMs, expiresAtMs }: ApplicationKey) {
  return {
    kind,
    hint,
    createdAt: isoTime(createdAtMs),
    ...(expiresAtMs !== undefined && { expiresAt: isoTime(expiresAtMs) }),
  };
}

/** A user as operators see him. */
export function shownUser(user: User): Output<(typeof routes)['user-read']>['user'] {
  const { userId, email, name, status, verified = false, createdAtMs, updatedAtMs } = user;
  return {
    userId,
    email,
    ...defined({ name, status }),
    verified,
    ...(createdAtMs !== undefined && { createdAt: isoTime(createdAtMs) }),
    ...(updatedAtMs !== undefined && { updatedAt: isoTime(updatedAtMs) }),
  };
}

/** A social account as operators see it. */
export function shownSocialAccount(
  account: SocialAccount,
): Output<(typeof routes)['social-account-write']>['socialAccount'] {
  const { accountId, createdAtMs, updatedAtMs, ...rest } = account;
  return { id: accountId, ...rest, createdAt: isoTime(createdAtMs), updatedAt: isoTime(updatedAtMs) };
}
