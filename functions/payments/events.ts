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

export const events = defineEvents({
  'payment.processing': {
    summary: 'A payment is under way, for example a direct debit: the money has not arrived.',
    data: payment,
    example: shown('processing', { waiting: 9.99 }),
  },
  'payment.received': {
    summary: 'The money of a payment arrived.',
    data: payment,
    example: shown('applied', { applied: [part] }),
  },
  'payment.applied': {
    summary: 'A payment paid invoices, or a part of one, or became credit of the client.',
    data: payment,
    example: shown('applied', { applied: [part] }),
  },
  'payment.unapplied': {
    summary: 'A payment, or a part of it, waits for your decision: apply it, or send it back.',
    data: payment,
    example: shown('unapplied', { waiting: 9.99, unappliedReason: 'unknown_reference' }),
  },
  'payment.refunded': {
    summary: 'A payment was refunded at its gateway, in full or in part.',
    data: payment,
    example: shown('refunded', { returned: 9.99 }),
  },
  'payment.refund_failed': {
    summary: 'A refund failed at the gateway: its money is back.',
    data: payment,
    example: shown('credit', { credited: 9.99 }),
  },
  'payment.disputed': {
    summary: 'A gateway took a payment back.',
    data: payment,
    example: shown('disputed', { returned: 9.99 }),
  },
  'payment.reinstated': {
    summary: 'A dispute was won: the money is back.',
    data: payment,
    example: shown('applied', { applied: [part] }),
  },
  'payment.returned': {
    summary: 'What waited of a payment, or was credit, was sent back.',
    data: payment,
    example: shown('returned', { returned: 9.99 }),
  },
  'payment.failed': {
    summary: 'A payment that was under way has failed.',
    data: payment,
    example: shown('returned', { returned: 9.99 }),
  },
});
