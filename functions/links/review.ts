import { getUser, type User } from '../shared/accounts/users.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { isLinkId, presented } from './link.ts';
import { historyOf, submissionOf } from './reviewing.ts';
import { routes } from './routes.ts';
import { presentedAccount } from './social-account.ts';
import { accountStore, reviewStore } from './store.ts';

const reviewDeps = () => ({ reviews: reviewStore, accounts: accountStore, getUser });

/** Shows a reviewer a link, what there is to compare it with, and all that happened to it, even after it is gone. */
export async function readReview(
  { params: { linkId } }: Input<typeof routes.review>,
  { reviews, accounts, getUser }: ReturnType<typeof reviewDeps>,
): Promise<Output<typeof routes.review>> {
  if (!isLinkId(linkId)) throw new ApiError('not_found');
  const link = await reviews.find(linkId);
  const records = (userId: string) => Promise.all([getUser(userId), accounts.all(userId)]);
  // After the link, so that it holds whatever led to what the link is now.
  const [happenings, known] = await Promise.all([reviews.history(linkId), link && records(link.userId)]);
  const end = happenings.find(({ submission }) => submission !== undefined);
  const submission = end?.submission ?? (link && submissionOf(link));
  if (submission === undefined) throw new ApiError('not_found');
  const [user, socialAccounts] = known ?? (await records(submission.userId));
  // What a reviewer decides on is the link as he sees it here, not as somebody changes it meanwhile.
  const revision = end?.revision ?? link?.revision ?? 1;
  return {
    trustLink: link === undefined || end !== undefined ? null : presented(link),
    revision,
    user: user ? presentedUser(user) : null,
    socialAccounts: socialAccounts.map(presentedAccount),
    history: historyOf(
      submission,
      happenings.filter((one) => one.revision <= revision),
    ),
  };
}

function presentedUser({ userId, email, name, status, verified }: User) {
  return {
    userId,
    email,
    ...defined({ name, status, verified }),
  };
}

export const handler = endpoint(routes.review, readReview, reviewDeps, operatorCaller);
