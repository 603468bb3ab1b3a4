import { defineEvents } from '../shared/contract/events.ts';
import { CurrentSubscription, OneCreditNote, OneInvoice, UnappliedPaymentData } from './api/responses.ts';

const { subscription } = CurrentSubscription.shape;
const { invoice } = OneInvoice.shape;
const { creditNote } = OneCreditNote.shape;

/** The transition table says which transition announces which event of a subscription. */
export const events = defineEvents({
  'subscription.created': {
    summary: 'A subscription was created: on trial, or pending its first payment.',
    data: subscription,
  },
  'subscription.trial_will_end': {
    summary: 'A trial will end soon. Unless the plan is free, the invoice of the first term was issued.',
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
    summary: 'Another plan or quantity applies: changed at once, or as planned with a new term.',
    data: subscription,
  },
  'subscription.plan_change_scheduled': {
    summary: 'Another plan or quantity is planned from the end of the term on.',
    data: subscription,
  },
  'subscription.plan_change_undone': {
    summary: 'The plan stays after the end of the term: a change that was planned will not happen.',
    data: subscription,
  },
  'subscription.updated': {
    summary: 'The application extended a trial, granted days, or switched `autoRenew`.',
    data: subscription,
  },
  'subscription.cancelled': { summary: 'A subscription was cancelled.', data: subscription },
  'subscription.expired': {
    summary: 'A subscription ended without a payment, or without a renewal: `endReason` says which.',
    data: subscription,
  },
  'invoice.issued': { summary: 'An invoice was issued.', data: invoice },
  'invoice.updated': {
    summary:
      'The due date and the period of an open invoice have moved with the end of the term or the trial.',
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
    summary: 'The payment of an invoice was refunded or disputed.',
    data: invoice,
  },
  'credit_note.issued': { summary: 'A credit note was issued: it corrects an invoice.', data: creditNote },
  'payment.unapplied': {
    summary: 'A payment could not be applied to its invoice, and has to be refunded.',
    data: UnappliedPaymentData,
  },
});
