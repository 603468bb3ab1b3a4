import { operatorCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { type Columns, listReply } from '../shared/lists/csv.ts';
import { defaultLimit } from '../shared/lists/list-page.ts';
import type { TrustLink } from './api/responses.ts';
import { userLinkListRoute } from './contracts/links.ts';
import { linkPage } from './trust-links/link-page.ts';

const linkColumns: Columns<TrustLink> = {
  _id: ({ _id }) => _id,
  title: ({ title }) => title,
  url: ({ url }) => url,
  platform: ({ platform }) => platform,
  description: ({ description }) => description,
  verificationStatus: ({ verificationStatus }) => verificationStatus,
  createdAt: ({ createdAt }) => createdAt,
  reviewedAt: ({ reviewedAt }) => reviewedAt,
};

export async function listUserLinks(request: Input<typeof userLinkListRoute>): Promise<Reply> {
  const { applicationId, status, limit = defaultLimit, cursor } = request.query;
  const page = await linkPage({ applicationId, userId: request.params.userId }, { status, limit, cursor });
  // `Link` leads to the next page of this user.
  const path = userLinkListRoute.path.replace('{userId}', encodeURIComponent(request.params.userId));
  return listReply(request, { path, response: userLinkListRoute.response }, 'trustLinks', page, linkColumns);
}

export const handler = endpoint(userLinkListRoute, listUserLinks, operatorCaller);
