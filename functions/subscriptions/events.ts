import { defineEvents, type EventExample, exampleTime } from '../shared/contract/events.ts';
import { SubscriptionSchema } from './schemas.ts';

/** A subscription of the example of an event. */
const shown = (status: string, more: EventExample = {}): EventExample =>
  Object.assign(
    { status, endDate: exampleTime, entitled: true, access: 'full', cancelAtPeriodEnd: false },
    more,
  );

const ended = (status: string, endReason: string): EventExample =>
  shown(status, { entitled: false, access: 'none', endedAt: exampleTime, endReason });

/** The transition table says which transition announces which event of a subscription. */
export const events = defineEvents({
  'subscription.created': {
    summary: 'A subscription was created: on trial, or pending its first payment.',
    data: SubscriptionSchema,
    example: shown('trialing', { trialEnd: exampleTime }),
  },
  'subscription.trial_will_end': {
    summary: 'A trial will end soon; unless the plan is free, the invoice of the first term was issued.',
    data: SubscriptionSchema,
    example: shown('trialing', { trialEnd: exampleTime }),
  },
  'subscription.trial_extended': {
    summary: 'The application extended a trial: `trialEnd` has moved.',
    data: SubscriptionSchema,
    example: shown('trialing', { trialEnd: exampleTime }),
  },
  'subscription.activated': {
    summary: 'The first term is paid or free, or a subscription that had expired is active again.',
    data: SubscriptionSchema,
    example: shown('active'),
  },
  'subscription.renewed': {
    summary: 'A further term is paid: `endDate` has moved.',
    data: SubscriptionSchema,
    example: shown('active'),
  },
  'subscription.past_due': {
    summary: 'A payment is overdue: a term ended unpaid, or a payment was reversed.',
    data: SubscriptionSchema,
    example: shown('past_due', { access: 'grace' }),
  },
  'subscription.recovered': {
    summary: 'A subscription that was past due is active again.',
    data: SubscriptionSchema,
    example: shown('active'),
  },
  'subscription.paused': {
    summary: 'A subscription was paused.',
    data: SubscriptionSchema,
    example: shown('paused', { entitled: false, access: 'none', pausedAt: exampleTime }),
  },
  'subscription.resumed': {
    summary: 'A paused subscription was resumed, and `endDate` has moved by the duration of the pause.',
    data: SubscriptionSchema,
    example: shown('active'),
  },
  'subscription.cancellation_scheduled': {
    summary: 'A subscription was set to cancel at the end of its trial or term.',
    data: SubscriptionSchema,
    example: shown('active', { cancelAtPeriodEnd: true }),
  },
  'subscription.cancellation_undone': {
    summary: 'A subscription is no longer set to cancel at the end of its trial or term.',
    data: SubscriptionSchema,
    example: shown('active'),
  },
  'subscription.plan_changed': {
    summary:
      'Another plan or quantity applies: it was changed at once, or a new term begins with the planned change.',
    data: SubscriptionSchema,
    example: shown('active'),
  },
  'subscription.plan_change_scheduled': {
    summary: 'A change of plan or quantity is planned for the end of the term.',
    data: SubscriptionSchema,
    example: shown('active', {
      plannedChange: { planId: 'pln_01M8ABCDEFGHJKMNPQRSTVWXYZ', quantity: 1, effectiveAt: exampleTime },
    }),
  },
  'subscription.plan_change_undone': {
    summary: 'The plan stays after the end of the term: a planned change will not happen.',
    data: SubscriptionSchema,
    example: shown('active'),
  },
  'subscription.updated': {
    summary: 'The application granted days, or switched `autoRenew`.',
    data: SubscriptionSchema,
    example: shown('active'),
  },
  'subscription.cancelled': {
    summary: 'A subscription was cancelled; one that had expired keeps its `endedAt` and its `endReason`.',
    data: SubscriptionSchema,
    example: ended('cancelled', 'cancelled'),
  },
  'subscription.expired': {
    summary: 'A subscription ended without a payment, or without a renewal: `endReason` says which.',
    data: SubscriptionSchema,
    example: ended('expired', 'unpaid'),
  },
});
