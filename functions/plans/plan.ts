import * as z from 'zod/mini';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { nextCursorField } from '../shared/fields/page.ts';
import { revision, seenRevision } from '../shared/fields/revision.ts';
import { lineField, linesField } from '../shared/fields/text.ts';
import { Amount } from '../shared/money/amount-schema.ts';
import { decimalsOf, isCurrency, maxAmountMinor, toDecimal, toMinor } from '../shared/money/money.ts';

export const BillingCycle = z.enum(['weekly', 'monthly', 'quarterly', 'semiannual', 'annual']);
export type BillingCycle = z.output<typeof BillingCycle>;

/** The subscriptions that a change of the price reaches: all at their next term, or those that are sold after it. */
const PriceChanges = z.enum(['next_term', 'new_subscriptions']);
type PriceChanges = z.output<typeof PriceChanges>;

export interface QuantityRange {
  min: number;
  max: number;
}

/** The most units of a plan. The amount of an invoice stays an integer that a double represents exactly. */
export const maxQuantity = 10_000;

export interface Plan {
  planId: string;
  applicationId: string;
  name: string;
  description: string;
  /** In minor units of the currency. */
  priceMinor: number;
  /** ISO 4217. */
  currency: string;
  billingCycle: BillingCycle;
  /** Absent for `next_term` on plans from before it could be chosen. */
  priceChanges?: PriceChanges;
  /** 0 for plans without a trial. */
  trialPeriodDays: number;
  features: readonly string[];
  /** How many units can be subscribed to, such as seats. Absent where one is sold. */
  quantity?: QuantityRange;
  /** Only active plans can be subscribed to. */
  isActive: boolean;
  /** Incremented by every write; a write is conditioned on the revision that it read. */
  revision: number;
  /** Epoch milliseconds. */
  createdAtMs: number;
  updatedAtMs: number;
}

const id = z.string().check(z.minLength(1), z.maxLength(128));
export const PlansPath = z.object({ id: id.check(z.meta({ description: 'The `_id` of the application.' })) });
export const PlanPath = z.object({ ...PlansPath.shape, planId: id });

export const fields = {
  name: lineField(100).check(z.meta({ examples: ['Pro'] })),
  description: linesField(1_000),
  price: z.number().check(
    z.gte(0),
    z.lte(1_000_000_000),
    z.meta({
      description: 'A decimal amount, with at most as many decimals as the currency has.',
      examples: [9.99],
    }),
  ),
  currency: z
    .string()
    .check(
      z.refine(isCurrency, 'must be a currency of ISO 4217, such as EUR'),
      z.meta({ description: 'ISO 4217 currency code.', examples: ['EUR'] }),
    ),
  billingCycle: BillingCycle,
  priceChanges: PriceChanges.check(
    z.meta({
      description:
        'The subscriptions that a change of `price`, `currency` or `billingCycle` reaches. `next_term`: all, with their next term, and the client gets a mail before it. `new_subscriptions`: those that are sold after the change; the others renew as they were sold, as long as the plan says so.',
    }),
  ),
  trialPeriodDays: z
    .int()
    .check(z.gte(0), z.lte(730), z.meta({ description: 'Days of the free trial, or 0 for no trial.' })),
  features: z.array(lineField(200)).check(z.maxLength(50)),
  isActive: z.boolean().check(z.meta({ description: 'Only active plans can be subscribed to.' })),
};

const units = z.int().check(z.gte(1), z.lte(maxQuantity));
export const quantity = z.optional(
  z.object({ min: units, max: units }).check(
    z.refine(({ min, max }) => min <= max, 'must have a min that is at most the max'),
    z.meta({
      description:
        'How many units a subscription may have, such as seats. `price` is the price of one. Without it, one is sold.',
    }),
  ),
);

export const PlanChange = z.object({
  ...z.partial(z.object(fields)).shape,
  quantity,
  revision: seenRevision,
});

export const OnePlan = z.object({
  plan: z.object({
    _id: z.string(),
    name: z.string(),
    description: z.string(),
    price: Amount,
    currency: z.string(),
    billingCycle: BillingCycle,
    priceChanges: PriceChanges,
    trialPeriodDays: z.int(),
    features: z.array(z.string()),
    isActive: z.boolean(),
    quantity: z.optional(z.object({ min: z.int(), max: z.int() })),
    revision,
  }),
});

/**
 * The price in minor units.
 * @throws ApiError `invalid_request` when it has more decimals than the currency, or the largest quantity costs too much.
 */
export function priceMinor(
  price: number,
  currency: string,
  { max }: Pick<QuantityRange, 'max'> = { max: 1 },
): number {
  const minor = toMinor(price, currency);
  if (minor !== undefined) {
    if (minor * max <= maxAmountMinor) return minor;
    throw new ApiError('invalid_request', {
      details: { quantity: 'makes the price of the largest quantity too large' },
    });
  }
  const decimals = decimalsOf(currency);
  const allowed = decimals === 0 ? 'no decimals' : `at most ${decimals} decimals`;
  throw new ApiError('invalid_request', { details: { price: `must have ${allowed} in ${currency}` } });
}

export function toPlanResponse(plan: Plan): z.output<typeof OnePlan>['plan'] {
  const { planId, priceMinor, features, currency, priceChanges = 'next_term', ...rest } = plan;
  return {
    ...rest,
    _id: planId,
    priceChanges,
    price: toDecimal(priceMinor, currency),
    currency,
    features: [...features],
  };
}

/**
 * A plan with the given fields changed. When only the currency changes, the price stays the same decimal number.
 * @throws ApiError `invalid_request`, as {@link priceMinor}
 */
export function updatedPlan(plan: Plan, changes: z.output<typeof PlanChange>, nowMs: number): Plan {
  const { price, revision: _, ...otherChanges } = changes;
  const { currency = plan.currency } = otherChanges;
  return {
    ...plan,
    ...defined(otherChanges),
    priceMinor: priceMinor(
      price ?? toDecimal(plan.priceMinor, plan.currency),
      currency,
      otherChanges.quantity ?? plan.quantity,
    ),
    revision: plan.revision + 1,
    updatedAtMs: nowMs,
  };
}

export const PlanList = z.object({
  plans: z.array(OnePlan.shape.plan),
  nextCursor: nextCursorField(),
});
