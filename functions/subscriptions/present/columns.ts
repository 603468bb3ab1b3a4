import type * as z from 'zod/mini';
import { amountCell } from '../../shared/lists/amount-text.ts';
import type { Columns } from '../../shared/lists/csv.ts';
import type { SubscriptionSchema } from '../schemas.ts';

type SubscriptionResponse = z.output<typeof SubscriptionSchema>;

/** Lists have the plan itself, and only the response to a creation has its id alone. */
const planOf = ({ planId }: SubscriptionResponse) => (typeof planId === 'string' ? undefined : planId);

function priceOf(subscription: SubscriptionResponse) {
  const plan = planOf(subscription);
  return plan && amountCell(plan.price, plan.currency);
}

/** A subscription as a row of CSV. */
export const subscriptionColumns: Columns<SubscriptionResponse> = {
  id: ({ _id }) => _id,
  referenceNumber: ({ referenceNumber }) => referenceNumber,
  externalId: ({ externalId }) => externalId,
  status: ({ status }) => status,
  planId: (subscription) => planOf(subscription)?._id,
  plan: (subscription) => planOf(subscription)?.name,
  quantity: ({ quantity = 1 }) => quantity,
  price: priceOf,
  currency: (subscription) => planOf(subscription)?.currency,
  billingCycle: (subscription) => planOf(subscription)?.billingCycle,
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
