import type { ApplicationKeyKind } from './secret.ts';

/** The kind of key that sees an event. An event about a webhook is for the kind of key that the webhook is for. */
export type EventOwner = ApplicationKeyKind | 'of_webhook';

/** The types of events, by the kind of key that sees them. The services define them. */
const typesByOwner = {
  api_key: [
    'subscription.created',
    'subscription.trial_will_end',
    'subscription.trial_extended',
    'subscription.activated',
    'subscription.renewed',
    'subscription.past_due',
    'subscription.recovered',
    'subscription.paused',
    'subscription.resumed',
    'subscription.cancellation_scheduled',
    'subscription.cancellation_undone',
    'subscription.plan_changed',
    'subscription.plan_change_scheduled',
    'subscription.plan_change_undone',
    'subscription.updated',
    'subscription.cancelled',
    'subscription.expired',
    'invoice.issued',
    'invoice.updated',
    'invoice.paid',
    'invoice.voided',
    'invoice.uncollectible',
    'invoice.payment_reversed',
    'invoice.refunded',
    'credit_note.issued',
    'payment.processing',
    'payment.received',
    'payment.applied',
    'payment.unapplied',
    'payment.refunded',
    'payment.refund_failed',
    'payment.disputed',
    'payment.reinstated',
    'payment.returned',
    'payment.failed',
  ],
  client_secret: [
    'link.verified',
    'link.rejected',
    'link.pending',
    'link.removed',
    'consent.granted',
    'consent.withdrawn',
  ],
  of_webhook: ['webhook.disabled', 'webhook.test'],
} as const satisfies Record<EventOwner, readonly `${string}.${string}`[]>;

export type EventType = (typeof typesByOwner)[EventOwner][number];

/** The name of an event without that of its object: `'renewed'` for `subscription.renewed`. */
export type EventOf<T extends string> = NameIn<EventType, T>;

type NameIn<Type, T extends string> = Type extends `${T}.${infer Name}` ? Name : never;

export const eventOwners: ReadonlyMap<string, EventOwner> = new Map([
  ...typesByOwner.api_key.map((type) => [type, 'api_key'] as const),
  ...typesByOwner.client_secret.map((type) => [type, 'client_secret'] as const),
  ...typesByOwner.of_webhook.map((type) => [type, 'of_webhook'] as const),
]);
