import { defineEvents, exampleTime } from '../shared/contract/events.ts';
import { OneCreditNote, OneInvoice } from './schemas.ts';

const { invoice } = OneInvoice.shape;
const { creditNote } = OneCreditNote.shape;

export const events = defineEvents({
  'invoice.issued': {
    summary: 'An invoice was issued.',
    data: invoice,
    example: { status: 'open', total: 9.99, amountDue: 9.99 },
  },
  'invoice.updated': {
    summary: 'An invoice was paid or credited in part, or its due date and period have moved.',
    data: invoice,
    example: {
      status: 'open',
      total: 9.99,
      amountDue: 9.99,
      periodStart: exampleTime,
      periodEnd: exampleTime,
    },
  },
  'invoice.paid': {
    summary: 'An invoice was paid, or a payment that was reversed is good again.',
    data: invoice,
    example: { status: 'paid', total: 9.99, amountDue: 0, paidAt: exampleTime },
  },
  'invoice.voided': {
    summary: 'An open invoice was closed: it is no longer owed.',
    data: invoice,
    example: { status: 'void', total: 9.99, amountDue: 0 },
  },
  'invoice.uncollectible': {
    summary: 'An open invoice was closed after dunning, unpaid.',
    data: invoice,
    example: { status: 'uncollectible', total: 9.99, amountDue: 0 },
  },
  'invoice.payment_reversed': {
    summary: 'The payment of an invoice was taken back, or booked elsewhere: the invoice is open again.',
    data: invoice,
    example: { status: 'open', total: 9.99, amountDue: 9.99, reversed: true },
  },
  'invoice.refunded': {
    summary: 'The payment of an invoice was refunded in full.',
    data: invoice,
    example: { status: 'refunded', total: 9.99, amountDue: 0, paidAt: exampleTime },
  },
  'credit_note.issued': {
    summary: 'A credit note was issued: it corrects an invoice.',
    data: creditNote,
    example: { reason: 'refund' },
  },
});
