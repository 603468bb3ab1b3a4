/** The events that follow operations. Those of subscriptions are of the transition table. */
import type { EventType } from '../../functions/shared/contract/event-types.ts';
import { namedTransitions } from '../../functions/subscriptions/machine/transitions.ts';

type EventName = ReturnType<typeof namedTransitions>[number]['event'];

interface Consequences {
  /** The events of the transition table that it can cause. */
  readonly of?: readonly EventName[];
  /** Events about other objects. */
  readonly and?: readonly EventType[];
}

const money: Consequences = {
  of: ['payment', 'partial_payment', 'payment_revived', 'debt_paid', 'payment_credited', 'payment_unapplied'],
  and: [
    'payment.received',
    'payment.applied',
    'payment.unapplied',
    'invoice.issued',
    'invoice.updated',
    'invoice.paid',
  ],
};

const takenBack: Consequences = {
  of: ['payment_reversed', 'part_reversed'],
  and: ['payment.disputed', 'invoice.updated', 'invoice.payment_reversed'],
};

const planChange: Consequences = {
  of: ['change_plan', 'schedule_plan_change', 'undo_plan_change'],
  and: ['invoice.issued', 'invoice.paid', 'invoice.voided', 'credit_note.issued'],
};

/** By the ids of operations. A test sends each request and compares. */
const consequences: Readonly<Record<string, Consequences>> = {
  createSubscription: {
    of: ['start', 'supersede', 'replace'],
    and: ['invoice.issued', 'invoice.paid', 'invoice.voided'],
  },
  cancelSubscription: { of: ['cancel', 'cancel_at_period_end'], and: ['invoice.voided'] },
  uncancelSubscription: { of: ['uncancel'] },
  pauseSubscription: { of: ['pause'] },
  resumeSubscription: { of: ['resume'] },
  changeSubscription: planChange,
  updateSubscription: { of: ['extend_trial', 'grant_days', 'set_auto_renew'], and: ['invoice.updated'] },
  creditInvoice: {
    of: ['invoice_credited'],
    and: ['credit_note.issued', 'invoice.updated', 'invoice.paid', 'invoice.voided'],
  },
  activateSubscription: money,
  createPayment: money,
  applyPayment: money,
  reallocatePayment: {
    of: [...(money.of ?? []), ...(takenBack.of ?? [])],
    and: [...(money.and ?? []), ...(takenBack.and ?? [])],
  },
  returnPayment: { of: ['payment_returned'], and: ['payment.returned'] },
  reversePayment: takenBack,
  payOutCredit: { of: ['credit_paid_out'] },
  confirmBankStatement: money,
  submitCheckoutPage: {
    of: [...(money.of ?? []), 'payment_failed', 'payment_reversed'],
    and: [...(money.and ?? []), 'payment.failed', 'invoice.payment_reversed'],
  },
  receiveStripeEvent: {
    of: [
      'payment',
      'payment_refunded',
      'payment_reversed',
      'payment_reinstated',
      'payment_processing',
      'payment_failed',
    ],
    and: [
      ...(money.and ?? []),
      'payment.processing',
      'payment.failed',
      'payment.refunded',
      'payment.refund_failed',
      'payment.disputed',
      'payment.reinstated',
      'invoice.payment_reversed',
      'invoice.refunded',
      'credit_note.issued',
    ],
  },
  submitBillingPage: { of: ['cancel_at_period_end', 'cancel', 'uncancel'], and: ['invoice.voided'] },
  updateLink: { and: ['link.pending'] },
  deleteLink: { and: ['link.removed'] },
  decideReview: { and: ['link.verified', 'link.rejected'] },
  createToken: { and: ['consent.granted'] },
  submitAccountPage: { and: ['consent.withdrawn'] },
  revokeToken: { and: ['consent.withdrawn'] },
  revokeGrant: { and: ['consent.withdrawn'] },
  testWebhook: { and: ['webhook.test'] },
};

/** The ids of the operations that events can follow. */
export const explainedOperations: readonly string[] = Object.keys(consequences);

/** The types of the events that can follow an operation, each once, in the order in which they are defined. */
export function eventsAfter(operationId: string): string[] {
  const { of = [], and = [] } = consequences[operationId] ?? {};
  const announced = namedTransitions()
    .filter(({ event }) => of.includes(event))
    .flatMap(({ announces }) => announces.map((name) => `subscription.${name}`));
  return [...new Set([...announced, ...and])];
}

/** The ids of the operations that an event can follow. */
export const operationsBefore = (type: string): string[] =>
  explainedOperations.filter((id) => eventsAfter(id).includes(type));
