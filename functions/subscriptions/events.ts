import { defineEvents } from '../shared/contract/events.ts';
import { CurrentSubscription, OneCreditNote, OneInvoice, OnePayment } from './api/responses.ts';

const { subscription } = CurrentSubscription.shape;
const { invoice } = OneInvoice.shape;
const { creditNote } = OneCreditNote.shape;
const { payment } = OnePayment.shape;

/** The transition table says which transition announces which event of a subscription. */
export const events = defineEvents({
  'subscription.created': {
    summary: 'A subscription was created: on trial, or pending its first payment.',
    data: subscription,
  },
  'subscription.trial_will_end': {
    summary: 'A trial will end soon; unless the plan is free, the invoice of the first term was issued.',
    data: subscription,
  },
  'subscription.activated': {
    summary: 'The first term is paid or free, or a subscription that had expired is active again.',
    data: subscription,
  },
  'subscription.renewed': {
    summary: 'A further term is paid: `endDate` has moved.',
    data: subscription,
  },
  'subscription.past_due': {
    summary: 'A payment is overdue: a term ended unpaid, or a payment was reversed.',
    data: subscription,
  },
  'subscription.recovered': {
    summary: 'A subscription that was past due is active again.',
    data: subscription,
  },
  'subscription.paused': { summary: 'A subscription was paused.', data: subscription },
  'subscription.resumed': {
    summary: 'A paused subscription was resumed, and `endDate` has moved by the duration of the pause.',
    data: subscription,
  },
  'subscription.cancellation_scheduled': {
    summary: 'A subscription was set to cancel at the end of its trial or term.',
    data: subscription,
  },
  'subscription.cancellation_undone': {
    summary: 'A subscription is no longer set to cancel at the end of its trial or term.',
    data: subscription,
  },
  'subscription.plan_changed': {
    summary:
      'Another plan or quantity applies: it was changed at once, or a new term begins with the planned change.',
    data: subscription,
  },
  'subscription.plan_change_scheduled': {
    summary: 'A change of plan or quantity is planned for the end of the term.',
    data: subscription,
  },
  'subscription.plan_change_undone': {
    summary: 'The plan stays after the end of the term: a planned change will not happen.',
    data: subscription,
  },
  'subscription.updated': {
    summary: 'The application extended a trial, granted days, or switched `autoRenew`.',
    data: subscription,
  },
  'subscription.cancelled': {
    summary: 'A subscription was cancelled; one that had expired keeps its `endedAt` and its `endReason`.',
    data: subscription,
  },
  'subscription.expired': {
    summary: 'A subscription ended without a payment, or without a renewal: `endReason` says which.',
    data: subscription,
  },
  'invoice.issued': { summary: 'An invoice was issued.', data: invoice },
  'invoice.updated': {
    summary: 'An open invoice was paid in part, or its due date and period have moved.',
    data: invoice,
  },
  'invoice.paid': {
    summary: 'An invoice was paid, or a payment that was reversed is good again.',
    data: invoice,
  },
  'invoice.voided': { summary: 'An open invoice was closed: it is no longer owed.', data: invoice },
  'invoice.uncollectible': {
    summary: 'An open invoice was closed after dunning, unpaid.',
    data: invoice,
  },
  'invoice.payment_reversed': {
    summary: 'The payment of an invoice was taken back by its gateway: the invoice is open again.',
    data: invoice,
  },
  'invoice.refunded': { summary: 'The payment of an invoice was refunded in full.', data: invoice },
  'credit_note.issued': { summary: 'A credit note was issued: it corrects an invoice.', data: creditNote },
  'payment.processing': {
    summary: 'A payment is under way, for example a direct debit: the money has not arrived.',
    data: payment,
  },
  'payment.received': { summary: 'The money of a payment arrived.', data: payment },
  'payment.applied': {
    summary: 'A payment paid invoices, or a part of one, or became credit of the client.',
    data: payment,
  },
  'payment.unapplied': {
    summary: 'A payment, or a part of it, waits for your decision: apply it, or send it back.',
    data: payment,
  },
  'payment.refunded': {
    summary: 'A payment was refunded at its gateway, in full or in part.',
    data: payment,
  },
  'payment.disputed': { summary: 'A gateway took a payment back.', data: payment },
  'payment.reinstated': { summary: 'A dispute was won: the money is back.', data: payment },
  'payment.returned': { summary: 'What waited of a payment, or was credit, was sent back.', data: payment },
  'payment.failed': { summary: 'A payment that was under way has failed.', data: payment },
});
