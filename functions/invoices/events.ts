import { defineEvents, exampleTime } from '../shared/contract/events.ts';
import { CreditNoteSchema, InvoiceSchema } from './schemas.ts';

export const events = defineEvents({
  'invoice.issued': {
    summary: 'An invoice was issued.',
    data: InvoiceSchema,
    example: { status: 'open', total: 9.99, amountDue: 9.99 },
  },
  'invoice.updated': {
    summary: 'An invoice was paid or credited in part, or its due date and period have moved.',
    data: InvoiceSchema,
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
    data: InvoiceSchema,
    example: { status: 'paid', total: 9.99, amountPaid: 9.99, amountDue: 0, paidAt: exampleTime },
  },
  'invoice.voided': {
    summary: 'An open invoice was closed: it is no longer owed.',
    data: InvoiceSchema,
    example: { status: 'void', total: 9.99, amountCredited: 9.99, amountDue: 0 },
  },
  'invoice.uncollectible': {
    summary: 'An open invoice was closed after dunning, unpaid.',
    data: InvoiceSchema,
    example: { status: 'uncollectible', total: 9.99, amountWrittenOff: 9.99, amountDue: 0 },
  },
  'invoice.payment_reversed': {
    summary: 'The payment of an invoice was taken back, or booked elsewhere: the invoice is open again.',
    data: InvoiceSchema,
    example: { status: 'open', total: 9.99, amountDue: 9.99, reversed: true },
  },
  'invoice.refunded': {
    summary: 'The payment of an invoice was refunded in full.',
    data: InvoiceSchema,
    example: {
      status: 'refunded',
      total: 9.99,
      amountPaid: 9.99,
      amountRefunded: 9.99,
      amountCredited: 9.99,
      amountDue: 0,
      paidAt: exampleTime,
    },
  },
  'credit_note.issued': {
    summary: 'A credit note was issued: it corrects an invoice.',
    data: CreditNoteSchema,
    example: { reason: 'refund' },
  },
});
