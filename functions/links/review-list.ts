import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import { reviewListRoute } from './contracts/reviews.ts';
import { pendingPage } from './reviews/pending-page.ts';

const defaultLimit = 50;

export const listReviews: Handler<typeof reviewListRoute> = async ({
  query: { limit = defaultLimit, cursor },
}) => {
  const { links, nextCursor } = await pendingPage(cursor, limit);
  return {
    reviews: links.map(({ linkId, applicationId, userId, title, url, platform, revision, queueEntry }) => ({
      linkId,
      applicationId,
      userId,
      title,
      url,
      platform,
      revision,
      priority: queueEntry?.priority ?? false,
      submittedAt: isoTime(queueEntry?.sinceMs ?? 0),
    })),
    ...defined({ nextCursor }),
  };
};

export const handler = endpoint(reviewListRoute, listReviews, operatorCaller);
