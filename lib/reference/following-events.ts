/** The events that follow operations. Those of subscriptions are of the transition table. */
import { commands } from '../../functions/console-operations/contracts/commands.ts';
import { services } from '../../functions/routes.ts';
import type { EventType } from '../../functions/shared/contract/event-types.ts';
import { namedTransitions } from '../../functions/subscriptions/machine/transitions.ts';
import { operationIdOf } from '../openapi/operation-id.ts';

type EventName = ReturnType<typeof namedTransitions>[number]['event'];

interface Consequences {
  /** The events of the transition table that it can cause. */
  readonly transitions: readonly EventName[];
  /** The types of events about other objects. */
  readonly others: readonly EventType[];
}

const money: Consequences = {
  transitions: [
    'payment',
    'partial_payment',
    'payment_revived',
    'debt_paid',
    'payment_credited',
    'payment_unapplied',
  ],
  others: [
    'payment.received',
    'payment.applied',
    'payment.unapplied',
    'invoice.issued',
    'invoice.updated',
    'invoice.paid',
  ],
};

const takenBack: Consequences = {
  transitions: ['payment_reversed', 'part_reversed'],
  others: ['payment.disputed', 'invoice.updated', 'invoice.payment_reversed'],
};

const planChange: Consequences = {
  transitions: ['change_plan', 'schedule_plan_change', 'undo_plan_change'],
  others: ['invoice.issued', 'invoice.paid', 'invoice.voided', 'credit_note.issued'],
};

const cancellation: Consequences = {
  transitions: ['cancel', 'cancel_at_period_end'],
  others: ['invoice.voided'],
};

const update: Consequences = {
  transitions: ['extend_trial', 'grant_days', 'set_auto_renew'],
  others: ['invoice.updated'],
};

const credit: Consequences = {
  transitions: ['invoice_credited'],
  others: ['credit_note.issued', 'invoice.updated', 'invoice.paid', 'invoice.voided'],
};

const decision: Consequences = { transitions: [], others: ['link.verified', 'link.rejected'] };

/** By the ids of operations. A test sends each request and compares. */
const consequences: Readonly<Record<string, Consequences>> = {
  createSubscription: {
    transitions: ['start', 'supersede', 'replace'],
    others: ['invoice.issued', 'invoice.paid', 'invoice.voided'],
  },
  cancelSubscription: cancellation,
  uncancelSubscription: { transitions: ['uncancel'], others: [] },
  pauseSubscription: { transitions: ['pause'], others: [] },
  resumeSubscription: { transitions: ['resume'], others: [] },
  changeSubscription: planChange,
  updateSubscription: update,
  creditInvoice: credit,
  activateSubscription: money,
  createPayment: money,
  applyPayment: money,
  reallocatePayment: {
    transitions: [...money.transitions, ...takenBack.transitions],
    others: [...money.others, ...takenBack.others],
  },
  returnPayment: { transitions: ['payment_returned'], others: ['payment.returned'] },
  reversePayment: takenBack,
  payOutCredit: { transitions: ['credit_paid_out'], others: [] },
  confirmBankStatement: money,
  submitCheckoutPage: {
    transitions: [...money.transitions, 'payment_failed', 'payment_reversed'],
    others: [...money.others, 'payment.failed', 'invoice.payment_reversed'],
  },
  receiveStripeEvent: {
    transitions: [
      'payment',
      'payment_refunded',
      'payment_reversed',
      'payment_reinstated',
      'payment_processing',
      'payment_failed',
    ],
    others: [
      ...money.others,
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
  submitBillingPage: {
    transitions: ['cancel_at_period_end', 'cancel', 'uncancel'],
    others: ['invoice.voided'],
  },
  submitConsoleReviewPage: decision,
  updateLink: { transitions: [], others: ['link.pending'] },
  deleteLink: { transitions: [], others: ['link.removed'] },
  decideReview: decision,
  createToken: { transitions: [], others: ['consent.granted'] },
  submitAccountPage: { transitions: [], others: ['consent.withdrawn'] },
  revokeToken: { transitions: [], others: ['consent.withdrawn'] },
  revokeGrant: { transitions: [], others: ['consent.withdrawn'] },
  testWebhook: { transitions: [], others: ['webhook.test'] },
};

const none: Consequences = { transitions: [], others: [] };

/** The ids of the operations that events can follow. The forms of the console follow from them. */
export const explainedOperations: readonly string[] = Object.keys(consequences);

/** The routes of forms, by the services whose operations they carry out. */
const forms = Object.entries(services['console-operations']);

function consequencesOf(operationId: string): Consequences {
  const service = forms.find(([, route]) => route.operationId === operationId)?.[0];
  const ofForms = commands.flatMap((command) =>
    command.service === service ? (consequences[operationIdOf(command)] ?? none) : [],
  );
  const all = [consequences[operationId] ?? none, ...ofForms];
  return {
    transitions: all.flatMap(({ transitions }) => transitions),
    others: all.flatMap(({ others }) => others),
  };
}

/** The types of the events that can follow an operation, each once, in the order in which they are defined. */
export function eventsAfter(operationId: string): string[] {
  const { transitions, others } = consequencesOf(operationId);
  const announced = namedTransitions()
    .filter(({ event }) => transitions.includes(event))
    .flatMap(({ announces }) => announces.map((name) => `subscription.${name}`));
  return [...new Set([...announced, ...others])];
}
