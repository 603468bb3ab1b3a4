import { getApplications } from '../shared/accounts/applications.ts';
import { hasCurrentStamp } from '../shared/accounts/security-stamp.ts';
import { getUser } from '../shared/accounts/users.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { type Grant, isUsable, lastUsedAtMs } from '../shared/auth/grants/grant.ts';
import { grantStore } from '../shared/auth/grants/grant-store.ts';
import { isTokenValidForApplication } from '../shared/auth/grants/token-ends.ts';
import { defined } from '../shared/contract/defined.ts';
import { encodeCursor, readCursor } from '../shared/lambda/cursor.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock, isoTime } from '../shared/runtime/clock.ts';
import { isId } from '../shared/runtime/ids.ts';
import { grantListRoute } from './contracts/grants.ts';

const defaultLimit = 50;

/** Lists the grants of a user that have not ended, the newest first. Those of a suspended user are listed too. */
export const listGrants: Handler<typeof grantListRoute> = async ({
  params: { userId },
  query: { limit = defaultLimit, cursor },
}) => {
  const scope = ['grants', userId];
  const position = readCursor(scope, cursor, { grantId: (text) => isId('gnt', text) });
  const startAfter = position?.grantId;
  const nowMs = clock.nowMs();
  // One beyond the limit shows whether there are more.
  const page = { limit: limit + 1, startAfter };
  const [user, usable] = await Promise.all([
    getUser(userId),
    grantStore.list(userId, (grant) => isUsable(grant, nowMs), page),
  ]);
  if (user === undefined) throw new ApiError('not_found');
  const last = usable.length > limit ? usable[limit - 1] : undefined;
  const listed = usable.slice(0, limit).filter((grant) => hasCurrentStamp(user, grant));
  const applications = await getApplications(listed.map(({ applicationId }) => applicationId));
  return {
    grants: listed.flatMap((grant: Grant) => {
      const application = applications.get(grant.applicationId);
      if (application === undefined || !isTokenValidForApplication(grant, application)) return [];
      return {
        id: grant.familyId,
        applicationId: grant.applicationId,
        applicationName: application.name,
        scopes: [...grant.scopes],
        createdAt: isoTime(grant.createdAtMs),
        lastUsedAt: isoTime(lastUsedAtMs(grant)),
      };
    }),
    ...defined({ nextCursor: last && encodeCursor(scope, { grantId: last.familyId }) }),
  };
};

export const handler = endpoint(grantListRoute, listGrants, operatorCaller);
