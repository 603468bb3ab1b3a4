import type { output } from 'zod/mini';
import type { LinksCaller } from '../../shared/contract/callers.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { UserHeaders, UserQuery } from './requests.ts';

/** The user that a request is for, and the actor that a change is recorded for. */
export interface Target {
  applicationId: string;
  userId: string;
  by: { kind: 'application' | 'user'; id: string };
}

/** The scopes of an access token of which one is required, the least privileged first. */
const sufficientScopes = {
  read: ['profile', 'trust_links:write'],
  write: ['trust_links:write'],
} as const;

export interface UserFields {
  headers: output<typeof UserHeaders>;
  query: output<typeof UserQuery>;
  body?: output<typeof UserQuery>;
}

/**
 * The user that a request is for: the user of the access token, or the one that the request names.
 *
 * @throws ApiError `insufficient_scope`; `invalid_request` when the request names no user, two different
 * users, or another user than the token's.
 */
export function targetUser(
  caller: LinksCaller,
  access: keyof typeof sufficientScopes,
  { headers, query, body }: UserFields,
): Target {
  const { applicationId } = caller;
  const named = [headers['x-user-id'], query.userId, body?.userId].filter((userId) => userId !== undefined);
  if (caller.by === 'token') {
    if (!sufficientScopes[access].some((scope) => caller.scopes.includes(scope)))
      throw new ApiError('insufficient_scope', { details: { scope: sufficientScopes[access][0] } });
    if (named.some((userId) => userId !== caller.userId))
      throw invalidUserId('is not the user of the access token');
    return { applicationId, userId: caller.userId, by: { kind: 'user', id: caller.userId } };
  }
  const [userId, ...more] = named;
  if (userId === undefined) throw invalidUserId('is required, here or as x-user-id');
  if (more.some((other) => other !== userId)) throw invalidUserId('is named twice, and not the same');
  if (!userId.isWellFormed()) throw invalidUserId('must be well-formed Unicode');
  return { applicationId, userId, by: { kind: 'application', id: applicationId } };
}

const invalidUserId = (problem: string) => new ApiError('invalid_request', { details: { userId: problem } });
