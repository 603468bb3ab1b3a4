/** Whether the access that a user granted has ended before it expires (`token-ends.ts`): what has to be read for it. */
import { getApplication } from '../../accounts/applications.ts';
import { getUser } from '../../accounts/users.ts';
import type { SecretRecord } from '../../contract/secret.ts';
import { ExpiringCache } from '../../runtime/expiring-cache.ts';
import { cacheTtlMs } from '../secrets.ts';
import { isTokenValidFor, tokensEndedAtMs } from './token-ends.ts';

/** Until when an application's tokens have ended, by its id. Only applications that have a key are cached. */
const cache = new ExpiringCache<number>(1_000);

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
