/** The events that end the access that a user granted, before it expires. Pure: `token-validity.ts` reads. */
import type { Application } from '../../accounts/applications.ts';
import { hasCurrentStamp } from '../../accounts/security-stamp.ts';
import type { User } from '../../accounts/users.ts';

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

/** The time up to which all tokens of an application have ended. Without any key, no token is valid. */
export function tokensEndedAtMs(application: Application | undefined): number {
  const hasKeys = Object.keys(application?.keys ?? {}).length > 0;
  return hasKeys ? (application?.tokensRevokedAtMs ?? 0) : Number.POSITIVE_INFINITY;
}
