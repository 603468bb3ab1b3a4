type Fields = Readonly<Record<string, unknown>>;

const time = '2026-01-31T12:00:00.000Z';

const subscription = (status: string, more: Fields = {}): Fields =>
  Object.assign({ status, endDate: time, entitled: true, access: 'full', cancelAtPeriodEnd: false }, more);

const ended = (status: string, endReason: string): Fields =>
  subscription(status, { entitled: false, access: 'none', endedAt: time, endReason });

const part: Fields = {
  invoiceId: 'inv_01M8ABCDEFGHJKMNPQRSTVWXYZ',
  number: 'INV-7K3M9XQP-1',
  subscriptionId: 'sub_01M8ABCDEFGHJKMNPQRSTVWXYZ',
  amount: 9.99,
};

/** A payment of 9.99 EUR: `more` says where the amount is. */
const payment = (status: string, more: Fields): Fields =>
  Object.assign(
    { amount: 9.99, currency: 'EUR', status, applied: [], credited: 0, returned: 0, waiting: 0 },
    more,
  );

/**
 * Fields of `data` in the example of an event, by its type: those without which the example would contradict the event. Any
 * other field that is required has the first value that its schema allows.
 */
export const eventExamples: Readonly<Record<string, Fields>> = {
  'subscription.created': subscription('trialing', { trialEnd: time }),
  'subscription.trial_will_end': subscription('trialing', { trialEnd: time }),
  'subscription.activated': subscription('active'),
  'subscription.renewed': subscription('active'),
  'subscription.past_due': subscription('past_due', { access: 'grace' }),
  'subscription.recovered': subscription('active'),
  'subscription.paused': subscription('paused', { entitled: false, access: 'none', pausedAt: time }),
  'subscription.resumed': subscription('active'),
  'subscription.cancellation_scheduled': subscription('active', { cancelAtPeriodEnd: true }),
  'subscription.cancellation_undone': subscription('active'),
  'subscription.plan_changed': subscription('active'),
  'subscription.plan_change_scheduled': subscription('active', {
    plannedChange: { planId: 'pln_01M8ABCDEFGHJKMNPQRSTVWXYZ', quantity: 1, effectiveAt: time },
  }),
  'subscription.plan_change_undone': subscription('active'),
  'subscription.updated': subscription('active'),
  'subscription.cancelled': ended('cancelled', 'cancelled'),
  'subscription.expired': ended('expired', 'unpaid'),
  'invoice.issued': { status: 'open', total: 9.99, amountDue: 9.99 },
  'invoice.updated': { status: 'open', total: 9.99, amountDue: 9.99, periodStart: time, periodEnd: time },
  'invoice.paid': { status: 'paid', total: 9.99, amountDue: 0, paidAt: time },
  'invoice.voided': { status: 'void', total: 9.99, amountDue: 0 },
  'invoice.uncollectible': { status: 'uncollectible', total: 9.99, amountDue: 0 },
  'invoice.payment_reversed': { status: 'open', total: 9.99, amountDue: 9.99, reversed: true },
  'invoice.refunded': { status: 'refunded', total: 9.99, amountDue: 0, paidAt: time },
  'credit_note.issued': { reason: 'refund' },
  'payment.processing': payment('processing', { waiting: 9.99 }),
  'payment.received': payment('applied', { applied: [part] }),
  'payment.applied': payment('applied', { applied: [part] }),
  'payment.unapplied': payment('unapplied', { waiting: 9.99, unappliedReason: 'unknown_reference' }),
  'payment.refunded': payment('refunded', { returned: 9.99 }),
  'payment.disputed': payment('disputed', { returned: 9.99 }),
  'payment.reinstated': payment('applied', { applied: [part] }),
  'payment.returned': payment('returned', { returned: 9.99 }),
  'payment.failed': payment('returned', { returned: 9.99 }),
  'link.verified': { verificationStatus: 'verified', reviewedAt: time },
  'link.rejected': { verificationStatus: 'rejected', reviewedAt: time },
  'link.pending': { verificationStatus: 'pending' },
  'link.removed': { verificationStatus: 'verified', reviewedAt: time },
  'consent.granted': {},
  'consent.withdrawn': { withdrawnAt: time, by: 'user' },
  'webhook.disabled': { active: false, disabled: { reason: 'failing', at: time }, failingSince: time },
  'webhook.test': { active: true },
};
