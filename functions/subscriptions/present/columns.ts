import type * as z from 'zod/mini';
import { amountText } from '../../shared/lists/amount-text.ts';
import type { Columns } from '../../shared/lists/csv.ts';
import type { CurrentSubscription } from '../schemas.ts';

type SubscriptionResponse = z.output<typeof CurrentSubscription>['subscription'];

/** A subscription as a row of CSV. */
export const subscriptionColumns: Columns<SubscriptionResponse> = {
  id: ({ _id }) => _id,
  referenceNumber: ({ referenceNumber }) => referenceNumber,
  externalId: ({ externalId }) => externalId,
  status: ({ status }) => status,
  planId: ({ planId }) => planId._id,
  plan: ({ planId }) => planId.name,
  quantity: ({ quantity = 1 }) => String(quantity),
  price: ({ planId }) => amountText(planId.price, planId.currency),
  currency: ({ planId }) => planId.currency,
  billingCycle: ({ planId }) => planId.billingCycle,
  startDate: ({ startDate }) => startDate,
  endDate: ({ endDate }) => endDate,
  trialStart: ({ trialStart }) => trialStart,
  trialEnd: ({ trialEnd }) => trialEnd,
  autoRenew: ({ autoRenew }) => autoRenew,
  cancelAtPeriodEnd: ({ cancelAtPeriodEnd }) => cancelAtPeriodEnd,
  access: ({ access }) => access,
  endedAt: ({ endedAt }) => endedAt,
  endReason: ({ endReason }) => endReason,
  createdAt: ({ createdAt }) => createdAt,
};
