import type { Application } from '../../shared/accounts/applications.ts';
import { hasCurrentStamp } from '../../shared/accounts/security-stamp.ts';
import type { User } from '../../shared/accounts/users.ts';
import { type Grant, lastUsedAtMs } from '../../shared/auth/grants/grant.ts';
import { isTokenValidForApplication } from '../../shared/auth/grants/token-ends.ts';

/** An application with what it may do. Times are epoch milliseconds. */
export interface AllowedApplication {
  applicationId: string;
  name: string;
  /** Of all its grants. */
  scopes: readonly string[];
  /** When it was first allowed. */
  sinceMs: number;
  lastUsedAtMs: number;
}

/** The applications of grants, the one used last first. A user who allowed one several times sees it once. */
export function allowedApplications(
  grants: readonly Grant[],
  user: User,
  applications: ReadonlyMap<string, Application>,
): AllowedApplication[] {
  const valid = grants.filter(
    (grant) =>
      hasCurrentStamp(user, grant) &&
      isTokenValidForApplication(grant, applications.get(grant.applicationId)),
  );
  const byApplication = Map.groupBy(valid, ({ applicationId }) => applicationId);
  return [...byApplication]
    .map(([applicationId, own]) => ({
      applicationId,
      name: applications.get(applicationId)?.name ?? '',
      scopes: [...new Set(own.flatMap(({ scopes }) => scopes))],
      sinceMs: Math.min(...own.map(({ createdAtMs }) => createdAtMs)),
      lastUsedAtMs: Math.max(...own.map(lastUsedAtMs)),
    }))
    .sort((a, b) => b.lastUsedAtMs - a.lastUsedAtMs);
}
