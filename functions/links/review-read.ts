import { getUser, type User } from '../shared/accounts/users.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { routes } from './routes.ts';
import { toAccountResponse } from './social-accounts/social-account.ts';
import { accountStore } from './social-accounts/store.ts';
import { submissionOf, toHistoryResponse } from './trust-links/history.ts';
import { isLinkId, toLinkResponse } from './trust-links/link.ts';
import { reviewStore } from './trust-links/review-store.ts';

const readDeps = () => ({ reviews: reviewStore, accounts: accountStore, getUser });

/**
 * Reads a link with its user, the user's social accounts, and its history. The history can also be read after
 * the link was removed.
 */
export async function readReview(
  { params: { linkId } }: Input<(typeof routes)['review-read']>,
  { reviews, accounts, getUser }: ReturnType<typeof readDeps>,
): Promise<Output<(typeof routes)['review-read']>> {
  if (!isLinkId(linkId)) throw new ApiError('not_found');
  const link = await reviews.findLink(linkId);
  const readUser = (userId: string) => Promise.all([getUser(userId), accounts.list(userId)]);
  // Read after the link, so that the history covers every change up to the state of the link.
  const [events, userOfLink] = await Promise.all([reviews.history(linkId), link && readUser(link.userId)]);
  const removal = events.find(({ submission }) => submission !== undefined);
  const submission = removal?.submission ?? (link && submissionOf(link));
  if (submission === undefined) throw new ApiError('not_found');
  const [user, socialAccounts] = userOfLink ?? (await readUser(submission.userId));
  // The reviewer decides on this revision of the link, so later events are left out.
  const revision = removal?.revision ?? link?.revision ?? 1;
  return {
    trustLink: link === undefined || removal !== undefined ? null : toLinkResponse(link),
    revision,
    user: user ? toUserResponse(user) : null,
    socialAccounts: socialAccounts.map(toAccountResponse),
    history: toHistoryResponse(
      submission,
      events.filter((event) => event.revision <= revision),
    ),
  };
}

function toUserResponse({ userId, email, name, status, verified }: User) {
  return {
    userId,
    email,
    ...defined({ name, status, verified }),
  };
}

export const handler = endpoint(routes['review-read'], readReview, readDeps, operatorCaller);
