import { ApiError } from '../shared/contract/errors.ts';
import type { LinksCaller } from '../shared/contract/route.ts';
import type { Actor, Owner } from './link.ts';

/** Whom a request is for, and who asks. */
export interface Target extends Owner {
  by: Actor;
}

/** Scopes of an access token that suffice, the least first. */
const sufficient = {
  read: ['profile', 'trust_links:write'],
  write: ['trust_links:write'],
} as const;

/** The places where a request may name the user. */
export interface Named {
  headers: { 'x-user-id'?: string | undefined };
  query: { userId?: string | undefined };
  body?: { userId?: string | undefined } | undefined;
}

/**
 * The user a request is for: the one of the access token, else the one it names.
 *
 * @throws ApiError `insufficient_scope`; `invalid_request` when it names nobody, or somebody else than it names
 * elsewhere or than the token is of.
 */
export function targetUser(caller: LinksCaller, need: keyof typeof sufficient, from: Named): Target {
  const { applicationId } = caller;
  const named = [from.headers['x-user-id'], from.query.userId, from.body?.userId].filter(
    (userId) => userId !== undefined,
  );
  if (caller.by === 'token') {
    if (!sufficient[need].some((scope) => caller.scopes.includes(scope)))
      throw new ApiError('insufficient_scope', { details: { scope: sufficient[need][0] } });
    if (named.some((userId) => userId !== caller.userId))
      throw refused('is not the user of the access token');
    return { applicationId, userId: caller.userId, by: { kind: 'user', id: caller.userId } };
  }
  const [userId, ...more] = named;
  if (userId === undefined) throw refused('is required, here or as x-user-id');
  if (more.some((other) => other !== userId)) throw refused('is named twice, and not the same');
  if (!userId.isWellFormed()) throw refused('must be well-formed Unicode');
  return { applicationId, userId, by: { kind: 'application', id: applicationId } };
}

const refused = (problem: string) => new ApiError('invalid_request', { details: { userId: problem } });
