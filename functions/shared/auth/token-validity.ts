/** What ends the access that a user granted, before it expires: decision 32. */
import { type Application, getApplication } from '../accounts/applications.ts';
import { getUser, hasCurrentStamp, type User } from '../accounts/users.ts';
import type { SecretRecord } from '../contract/secret.ts';
import { ExpiringCache } from '../runtime/expiring-cache.ts';
import { cacheTtlMs } from './secrets.ts';

/** Until when an application's tokens have ended, by its id. Only applications that have a key are cached. */
const cache = new ExpiringCache<number>(1_000);

/**
 * Whether a session, an authorization code, a token or a grant of a user is still valid for them: they are active, and it
 * was made under their present security stamp. An unknown user has no valid token.
 */
export function isTokenValidFor(
  token: { readonly securityStamp?: string | undefined },
  user: User | undefined,
): boolean {
  return user?.status === 'active' && hasCurrentStamp(user, token);
}

/**
 * Whether a code, a token or a grant is still valid for the application: it has a key, and its keys were not all revoked
 * since.
 */
export function isTokenValidForApplication(
  { createdAtMs }: { readonly createdAtMs: number },
  application: Application | undefined,
): boolean {
  return tokensEndedAtMs(application) < createdAtMs;
}

/**
 * Whether an unexpired access token is still valid. Reads the user, strongly consistent, and concurrently the application,
 * whose state is cached as long as secrets are.
 */
export async function isAccessTokenValid(token: SecretRecord, nowMs: number): Promise<boolean> {
  const [user, isValidForApplication] = await Promise.all([
    getUser(token.userId ?? ''),
    isValidForCachedApplication(token, nowMs),
  ]);
  return isTokenValidFor(token, user) && isValidForApplication;
}

/**
 * Whether an access token is still valid for its application, whose state is cached as long as secrets are. A cached state
 * that refuses the token is read again: the application may have a key since.
 */
export async function isValidForCachedApplication(
  { applicationId = '', createdAtMs }: SecretRecord,
  nowMs: number,
): Promise<boolean> {
  const cached = cache.get(applicationId, nowMs);
  if (cached !== undefined && cached < createdAtMs) return true;
  const endedAtMs = tokensEndedAtMs(await getApplication(applicationId));
  if (Number.isFinite(endedAtMs)) cache.set(applicationId, endedAtMs, nowMs + cacheTtlMs);
  return endedAtMs < createdAtMs;
}

/** The time up to which all tokens of an application have ended. Without any key, no token is valid. */
function tokensEndedAtMs(application: Application | undefined): number {
  const hasKeys = Object.keys(application?.keys ?? {}).length > 0;
  return hasKeys ? (application?.tokensRevokedAtMs ?? 0) : Number.POSITIVE_INFINITY;
}
