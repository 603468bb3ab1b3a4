/** The consent of a user to an application, and all tokens issued from it. */
import { dayMs } from '../../runtime/clock.ts';

/** A grant expires this long after its last use, as its refresh token does. */
export const grantLifetimeMs = 30 * dayMs;

export interface IssuedToken {
  hash: string;
  expiresAtMs: number;
}

/** Times are epoch milliseconds. */
export interface Grant {
  /** `gnt_` and a ULID. */
  familyId: string;
  applicationId: string;
  userId: string;
  scopes: readonly string[];
  createdAtMs: number;
  /** Of the user at the consent. Absent while the user had none. */
  securityStamp?: string;
  /** The hash of the one valid refresh token. */
  currentHash: string;
  lastRotation?: { atMs: number };
  /** Access tokens that may still be valid, the newest last. */
  accessTokens: readonly IssuedToken[];
  revokedAtMs?: number;
}

export type GrantKey = Readonly<Pick<Grant, 'familyId' | 'userId'>>;

/** Whether a grant can still be used, as far as its record tells. */
export function isUsable({ revokedAtMs, ...grant }: Grant, nowMs: number): boolean {
  return revokedAtMs === undefined && nowMs < lastUsedAtMs(grant) + grantLifetimeMs;
}

export function lastUsedAtMs({ lastRotation, createdAtMs }: Omit<Grant, 'revokedAtMs'>): number {
  return lastRotation?.atMs ?? createdAtMs;
}
