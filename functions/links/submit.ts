import { getUser, hasVerifiedProfile } from '../shared/accounts/users.ts';
import { linksCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { newId } from '../shared/runtime/ids.ts';
import { idempotentRequest, storedResponse } from '../shared/table/idempotency.ts';
import { type Link, newLink, presented } from './link.ts';
import { limits } from './requests.ts';
import { routes } from './routes.ts';
import { linkStore, type SubmissionRecord } from './store.ts';
import { targetUser } from './target-user.ts';

const submitDeps = () => ({ links: linkStore, getUser, nowMs, newId });
const { method, path } = routes.submit;

/**
 * Stores the links of a submission, all or none: what was read of the user and the key beside the count, and one
 * transaction.
 */
export async function submitLinks(
  { headers, query, body, caller, rateLimitPassed }: Input<typeof routes.submit>,
  { links, getUser, nowMs, newId }: ReturnType<typeof submitDeps>,
): Promise<Output<typeof routes.submit>> {
  const { by, ...owner } = targetUser(caller, 'write', { headers, query, body });
  refuseTooMany(body);
  const atMs = nowMs();
  const { userId: _, ...what } = body;
  const request = idempotentRequest(owner.applicationId, headers['idempotency-key'], {
    method,
    path,
    userId: owner.userId,
    body: what,
  });
  const [user, earlier] = await Promise.all([
    getUser(owner.userId),
    storedResponse<SubmissionRecord>(request, atMs),
  ]);
  const made = ({ linkIds, createdAtMs }: SubmissionRecord): Link[] =>
    body.links.map((link, i) => newLink(owner, link, { linkId: linkIds[i] ?? '', atMs: createdAtMs, by }));
  if (earlier !== undefined) return answer(made(earlier));
  if (!hasVerifiedProfile(user)) throw new ApiError('user_not_verified');

  await rateLimitPassed;
  // Ids of one moment differ by chance only; sorted, they keep the order of the request.
  const linkIds = body.links.map(() => newId('lnk', atMs)).sort();
  const stored = await links.submit(made({ linkIds, createdAtMs: atMs }), request, atMs);
  // Gone again between the transaction and the look at what stopped it: the key has just run out.
  if (stored === undefined) throw new ApiError('idempotency_in_progress');
  return answer(made(stored));
}

const answer = (links: readonly Link[]) => ({ success: true as const, trustLinks: links.map(presented) });

/** @throws ApiError `limit_exceeded` */
function refuseTooMany({
  links,
  limit = limits.batch,
}: {
  links: readonly unknown[];
  limit?: number | undefined;
}) {
  const details: Record<string, string> = {};
  if (limit > limits.batch) details.limit = `must be at most ${limits.batch}`;
  const most = Math.min(limit, limits.batch);
  if (links.length > most) details.links = `must be at most ${most}`;
  if (Object.keys(details).length > 0) throw new ApiError('limit_exceeded', { details });
}

export const handler = endpoint(routes.submit, submitLinks, submitDeps, linksCaller);
