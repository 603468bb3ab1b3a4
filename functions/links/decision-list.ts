import type { output } from 'zod/mini';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { type Columns, listReply } from '../shared/lists/csv.ts';
import { indexedPage } from '../shared/lists/indexed-list.ts';
import { ofDirectory } from '../shared/lists/partitions.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import { type DecidedReview, decisionListRoute } from './contracts/reviews.ts';
import type { Decision, DecisionFacts } from './trust-links/decision.ts';
import { readDecision } from './trust-links/review-store.ts';

type Decided = output<typeof DecidedReview>;

const decisionColumns: Columns<Decided> = {
  linkId: ({ linkId }) => linkId,
  applicationId: ({ applicationId }) => applicationId,
  userId: ({ userId }) => userId,
  title: ({ title }) => title,
  url: ({ url }) => url,
  platform: ({ platform }) => platform,
  decision: ({ decision }) => decision,
  decidedAt: ({ decidedAt }) => decidedAt,
  revision: ({ revision }) => revision,
  keyId: ({ by }) => by.id,
  reviewer: ({ by }) => by.name,
  reason: ({ reason }) => reason,
};

export async function listDecisions(request: Input<typeof decisionListRoute>): Promise<Reply> {
  const { decision, reviewer } = request.query;
  const page = await indexedPage(
    {
      source: ofDirectory('decision'),
      filters: [decision, reviewer],
      passes: (facts: Partial<DecisionFacts>) =>
        (decision === undefined || facts.decision === decision) &&
        (reviewer === undefined || facts.keyId === reviewer || facts.reviewer === reviewer),
      read: readDecision,
      toResponse: toDecidedReview,
    },
    request.query,
  );
  return listReply(request, decisionListRoute, 'reviews', page, decisionColumns);
}

const toDecidedReview = ({ link, event, atMs, revision, by, reason }: Decision): Decided => ({
  ...link,
  decision: event,
  decidedAt: isoTime(atMs),
  revision,
  by,
  ...defined({ reason }),
});

export const handler = endpoint(decisionListRoute, listDecisions, operatorCaller);
