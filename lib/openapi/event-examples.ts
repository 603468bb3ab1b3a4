type Fields = Readonly<Record<string, unknown>>;

const time = '2026-01-31T12:00:00.000Z';

const subscription = (status: string, more: Fields = {}): Fields =>
  Object.assign({ status, entitled: true, access: 'full', cancelAtPeriodEnd: false }, more);

const ended = (status: string, endReason: string): Fields =>
  subscription(status, { entitled: false, access: 'none', endedAt: time, endReason });

/**
 * Fields of `data` in the example of an event, by its type: those without which the example would contradict the event. Any
 * other field that is required has the first value that its schema allows.
 */
export const eventExamples: Readonly<Record<string, Fields>> = {
  'subscription.created': subscription('trialing', { trialEnd: time }),
  'subscription.trial_will_end': subscription('trialing', { trialEnd: time }),
  'subscription.activated': subscription('active', { endDate: time }),
  'subscription.renewed': subscription('active', { endDate: time }),
  'subscription.past_due': subscription('past_due', { access: 'grace', endDate: time }),
  'subscription.recovered': subscription('active', { endDate: time }),
  'subscription.paused': subscription('paused', { entitled: false, access: 'none', pausedAt: time }),
  'subscription.resumed': subscription('active', { endDate: time }),
  'subscription.cancellation_scheduled': subscription('active', { endDate: time, cancelAtPeriodEnd: true }),
  'subscription.cancellation_undone': subscription('active', { endDate: time }),
  'subscription.updated': subscription('active', { endDate: time }),
  'subscription.cancelled': ended('cancelled', 'cancelled'),
  'subscription.expired': ended('expired', 'unpaid'),
  'invoice.issued': { status: 'open' },
  'invoice.updated': { status: 'open', periodStart: time, periodEnd: time },
  'invoice.paid': { status: 'paid', paidAt: time },
  'invoice.voided': { status: 'void' },
  'invoice.uncollectible': { status: 'uncollectible' },
  'invoice.payment_reversed': { status: 'open', reversed: true },
  'payment.unapplied': {},
  'link.verified': { verificationStatus: 'verified', reviewedAt: time },
  'link.rejected': { verificationStatus: 'rejected', reviewedAt: time },
  'link.pending': { verificationStatus: 'pending' },
  'link.removed': { verificationStatus: 'verified', reviewedAt: time },
  'consent.granted': {},
  'consent.withdrawn': { withdrawnAt: time, by: 'user' },
  'webhook.disabled': { active: false, disabled: { reason: 'failing', at: time }, failingSince: time },
  'webhook.test': { active: true },
};
