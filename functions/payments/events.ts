import { defineEvents } from '../shared/contract/events.ts';
import { OnePayment } from './payment-schema.ts';

const { payment } = OnePayment.shape;

export const events = defineEvents({
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
