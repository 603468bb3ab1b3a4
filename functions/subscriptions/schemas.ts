import * as z from 'zod/mini';
import { CreditNoteSchema, InvoiceSchema } from '../invoices/schemas.ts';
import { BillingCycle } from '../plans/plan.ts';
import { described, Time } from '../shared/fields/described.ts';
import { nextCursorField } from '../shared/fields/page.ts';
import { Amount } from '../shared/money/amount-schema.ts';
import { statuses } from './record/subscription.ts';

const Status = z.enum(statuses);
export const PlanOfSubscription = z.object({
  _id: z.string(),
  name: z.string(),
  price: Amount,
  currency: z.string(),
  billingCycle: BillingCycle,
  features: z.array(z.string()).check(described('The features of the plan when it was sold.')),
});

export const PlannedChange = z.object({
  planId: z.string(),
  quantity: z.optional(z.int()),
  effectiveAt: z.optional(Time),
});

const common = {
  _id: z.string(),
  referenceNumber: z.string(),
  status: Status,
  startDate: Time.check(described('When access starts.')),
  endDate: Time.check(
    described(
      'The end of the paid term. Before the first term: the end of the trial or, without a trial, the time of creation, because nothing is paid. It stays when the subscription ends before, as after a refund that cancels: `endedAt` is when it ended, and with it the access.',
    ),
  ),
  trialStart: z.optional(Time),
  trialEnd: z.optional(Time),
  autoRenew: z.boolean(),
  quantity: z.optional(
    z.int().check(described('How many units, such as seats, where the plan is sold in quantities.')),
  ),
  plannedChange: z
    .optional(PlannedChange)
    .check(described('The plan from the end of the term on, if a change is planned.')),
};

/** A subscription as returned by changes. */
export const ChangedSubscription = z.object({
  subscription: z.object({
    ...common,
    planId: z.string(),
    cancelAtPeriodEnd: z.optional(z.boolean()),
    resumesAt: z.optional(Time),
  }),
});

/** A subscription as reads and events return it, and the response to its creation. */
export const SubscriptionSchema = z.object({
  ...common,
  planId: z
    .union([PlanOfSubscription, z.string()])
    .check(
      described(
        'The plan as it was sold. The response to the creation has its id alone: the plan may have changed since.',
      ),
    ),
  externalId: z.string(),
  entitled: z.boolean(),
  access: z
    .enum(['full', 'grace', 'restricted', 'none'])
    .check(described('Computed from the dates. `grace` is full access while a payment is overdue.')),
  termStart: z.optional(Time.check(described('Start of the paid term.'))),
  cancelAtPeriodEnd: z.boolean(),
  pausedAt: z.optional(Time),
  resumesAt: z.optional(Time),
  endedAt: z.optional(
    Time.check(
      described(
        'When the subscription ended, and with it the access. It can be before `endDate`. Absent while it has not ended.',
      ),
    ),
  ),
  endReason: z.optional(
    z.enum(['cancelled', 'period_over', 'superseded', 'replaced', 'trial_over', 'unpaid', 'not_renewed']),
  ),
  createdAt: Time,
});

export const CreatedSubscription = z.object({
  subscription: SubscriptionSchema,
  checkoutUrl: z.optional(z.string().check(described('The payment page. Only with a payment gateway.'))),
});

export const CurrentSubscription = z.object({ subscription: SubscriptionSchema });

export const TimelineEntrySchema = z.object({
  at: Time,
  event: z.string(),
  by: z.enum(['application', 'timer', 'gateway', 'subscriber']),
  from: z.optional(Status),
  to: Status,
  invoices: z
    .optional(z.array(z.string()))
    .check(described('Numbers of the invoices that the event issued or updated.')),
  creditNotes: z
    .optional(z.array(z.string()))
    .check(described('Numbers of the credit notes that the event issued.')),
  payment: z
    .optional(z.object({ _id: z.string(), amount: Amount, currency: z.string() }))
    .check(described('The payment that the event is about, with its whole amount.')),
  paidOut: z
    .optional(z.object({ amount: Amount, currency: z.string() }))
    .check(described('The credit that you sent back.')),
  reason: z.optional(z.string().check(described('Why the application changed it, in its words.'))),
  unapplied: z
    .optional(z.object({ invoice: z.optional(z.string()), paymentId: z.string() }))
    .check(
      described(
        'A payment that could not be applied, for example because it was a duplicate. Apply it, or send it back.',
      ),
    ),
});

export const OneSubscription = z.object({
  subscription: z.object({
    ...SubscriptionSchema.shape,
    invoices: z
      .array(InvoiceSchema)
      .check(described('A page of the invoices, the latest on the first page. In order of their numbers.')),
    revision: z
      .int()
      .check(described('Counts the changes. A change that names it is refused when another one came first.')),
    timeline: z
      .array(TimelineEntrySchema)
      .check(described('A page of the timeline, the latest entries on the first page. Oldest first.')),
    creditNotes: z
      .optional(z.array(CreditNoteSchema))
      .check(described('The latest 100 credit notes, on the first page. Absent without any.')),
  }),
  nextCursor: nextCursorField(
    'Present when there are earlier invoices or entries. Pass it as `cursor` to get the page before.',
  ),
});
