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

const event = (summary: string, example: EventExample) => ({ summary, data: SubscriptionSchema, example });

/** The transition table says which transition announces which event of a subscription. */
export const events = defineEvents({
  'subscription.created': event(
    'A subscription was created: on trial, or pending its first payment.',
    shown('trialing', { trialEnd: exampleTime }),
  ),
  'subscription.trial_will_end': event(
    'A trial will end soon; unless the plan is free, the invoice of the first term was issued.',
    shown('trialing', { trialEnd: exampleTime }),
  ),
  'subscription.trial_extended': event(
    'The application extended a trial: `trialEnd` has moved.',
    shown('trialing', { trialEnd: exampleTime }),
  ),
  'subscription.activated': event(
    'The first term is paid or free, or a subscription that had expired is active again.',
    shown('active'),
  ),
  'subscription.renewed': event('A further term is paid: `endDate` has moved.', shown('active')),
  'subscription.past_due': event(
    'A payment is overdue: a term ended unpaid, or a payment was reversed.',
    shown('past_due', { access: 'grace' }),
  ),
  'subscription.recovered': event('A subscription that was past due is active again.', shown('active')),
  'subscription.paused': event(
    'A subscription was paused.',
    shown('paused', { entitled: false, access: 'none', pausedAt: exampleTime }),
  ),
  'subscription.resumed': event(
    'A paused subscription was resumed, and `endDate` has moved by the duration of the pause.',
    shown('active'),
  ),
  'subscription.cancellation_scheduled': event(
    'A subscription was set to cancel at the end of its trial or term.',
    shown('active', { cancelAtPeriodEnd: true }),
  ),
  'subscription.cancellation_undone': event(
    'A subscription is no longer set to cancel at the end of its trial or term.',
    shown('active'),
  ),
  'subscription.plan_changed': event(
    'Another plan or quantity applies: it was changed at once, or a new term begins with the planned change.',
    shown('active'),
  ),
  'subscription.plan_change_scheduled': event(
    'A change of plan or quantity is planned for the end of the term.',
    shown('active', {
      plannedChange: { planId: 'pln_01M8ABCDEFGHJKMNPQRSTVWXYZ', quantity: 1, effectiveAt: exampleTime },
    }),
  ),
  'subscription.plan_change_undone': event(
    'The plan stays after the end of the term: a planned change will not happen.',
    shown('active'),
  ),
  'subscription.updated': event('The application granted days, or switched `autoRenew`.', shown('active')),
  'subscription.cancelled': event(
    'A subscription was cancelled; one that had expired keeps its `endedAt` and its `endReason`.',
    ended('cancelled', 'cancelled'),
  ),
  'subscription.expired': event(
    'A subscription ended without a payment, or without a renewal: `endReason` says which.',
    ended('expired', 'unpaid'),
  ),
});
