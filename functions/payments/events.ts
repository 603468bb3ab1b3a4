import { OnePayment } from '../ledger/payment-schema.ts';
import { defineEvents, type EventExample } from '../shared/contract/events.ts';

const { payment } = OnePayment.shape;

const part: EventExample = {
  invoiceId: 'inv_01M8ABCDEFGHJKMNPQRSTVWXYZ',
  number: 'INV-7K3M9XQP-1',
  subscriptionId: 'sub_01M8ABCDEFGHJKMNPQRSTVWXYZ',
  amount: 9.99,
};

/** A payment of 9.99 EUR: `more` says where the amount is. */
const shown = (status: string, more: EventExample): EventExample =>
  Object.assign(
    { amount: 9.99, currency: 'EUR', status, applied: [], credited: 0, returned: 0, waiting: 0 },
    more,
  );

const event = (summary: string, example: EventExample) => ({ summary, data: payment, example });

export const events = defineEvents({
  'payment.processing': event(
    'A payment is under way, for example a direct debit: the money has not arrived.',
    shown('processing', { waiting: 9.99 }),
  ),
  'payment.received': event('The money of a payment arrived.', shown('applied', { applied: [part] })),
  'payment.applied': event(
    'A payment paid invoices, or a part of one, or became credit of the client.',
    shown('applied', { applied: [part] }),
  ),
  'payment.unapplied': event(
    'A payment, or a part of it, waits for your decision: apply it, or send it back.',
    shown('unapplied', { waiting: 9.99, unappliedReason: 'unknown_reference' }),
  ),
  'payment.refunded': event(
    'A payment was refunded at its gateway, in full or in part.',
    shown('refunded', { returned: 9.99 }),
  ),
  'payment.refund_failed': event(
    'A refund failed at the gateway: its money is back.',
    shown('credit', { credited: 9.99 }),
  ),
  'payment.disputed': event('A gateway took a payment back.', shown('disputed', { returned: 9.99 })),
  'payment.reinstated': event('A dispute was won: the money is back.', shown('applied', { applied: [part] })),
  'payment.returned': event(
    'What waited of a payment, or was credit, was sent back.',
    shown('returned', { returned: 9.99 }),
  ),
  'payment.failed': event('A payment that was under way has failed.', shown('returned', { returned: 9.99 })),
});
