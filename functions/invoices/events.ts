import { defineEvents } from '../shared/contract/events.ts';
import { OneCreditNote, OneInvoice } from './schemas.ts';

const { invoice } = OneInvoice.shape;
const { creditNote } = OneCreditNote.shape;

export const events = defineEvents({
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
});
