import {
  forApplication,
  json,
  number,
  oneOf,
  pages,
  requiredNumber,
  requiredText,
  text,
  type Verb,
} from './verb.ts';

const invoice = text('invoiceId', 'id of the invoice');
const subscription = text('subscriptionId', 'id of the subscription');

/** The commands for the payments of an application. */
export const paymentVerbs: readonly Verb[] = [
  {
    name: 'payment list',
    summary: 'Lists the payments of an application, newest first.',
    ...forApplication,
    method: 'GET',
    path: '/api/v1/payments',
    options: {
      status: text('status', 'only payments in this state, such as unapplied'),
      from: text('from', 'recorded at or after this time'),
      to: text('to', 'recorded before this time'),
      ...pages('records'),
    },
  },
  {
    name: 'payment show',
    summary: 'Shows a payment: its state, and where its money is.',
    ...forApplication,
    method: 'GET',
    path: '/api/v1/payments/{payment}',
  },
  {
    name: 'credit-note list',
    summary: 'Lists the credit notes of an application with their tax, newest first.',
    ...forApplication,
    method: 'GET',
    path: '/api/v1/credit-notes',
    options: {
      client: text('externalId', 'only those of this client'),
      reason: oneOf('refund', 'plan_change')('reason', 'only those issued for this reason'),
      from: text('from', 'issued at or after this time'),
      to: text('to', 'issued before this time'),
      ...pages('records'),
    },
  },
  {
    name: 'journal',
    summary: 'Lists the entries of the ledger, newest first.',
    ...forApplication,
    method: 'GET',
    path: '/api/v1/journal',
    options: {
      from: text('from', 'booked on or after this day or time'),
      to: text('to', 'booked up to this day, or before this time'),
      ...pages('records'),
    },
  },
  {
    name: 'report tax',
    summary: 'Reports the tax of sales of a period, by country, kind and rate.',
    ...forApplication,
    method: 'GET',
    path: '/api/v1/reports/tax',
    options: {
      from: text('from', 'first day, such as 2026-10-01; default: the first of this month'),
      to: text('to', 'last day, which is included; default: now'),
    },
  },
  {
    name: 'credit pay-out',
    summary: 'Records that you sent credit back to a client. It moves no money.',
    ...forApplication,
    method: 'POST',
    path: '/api/v1/clients/{client}/credit/pay-out',
    options: {
      id: requiredText('payOutId', 'your id of the pay-out, under which it is recorded once'),
      amount: requiredNumber('amount', 'decimal amount that you sent, such as 9.99'),
      currency: requiredText('currency', 'ISO 4217, such as EUR'),
      reason: requiredText('reason', 'why; the timeline shows it'),
    },
  },
  {
    name: 'payment record',
    summary: 'Records a payment that was made outside a gateway, and applies it.',
    ...forApplication,
    method: 'POST',
    path: '/api/v1/payments',
    options: {
      id: requiredText('paymentId', 'your id of the payment, under which it is recorded once'),
      amount: requiredNumber('amount', 'decimal amount, such as 9.99'),
      currency: requiredText('currency', 'ISO 4217, such as EUR'),
      reference: text('reference', 'reference as the payer wrote it'),
      invoice,
      subscription,
      date: text('valueDate', 'value date, such as 2026-11-22; default: now'),
      method: oneOf('bank_transfer', 'card', 'direct_debit', 'cash', 'other')('method', 'how it was paid'),
    },
  },
  {
    name: 'payment apply',
    summary: 'Applies what waits of a payment to an invoice, or to what is open of a subscription.',
    ...forApplication,
    method: 'POST',
    path: '/api/v1/payments/{payment}/apply',
    options: { invoice, subscription },
  },
  {
    name: 'payment return',
    summary: 'Records that a payment was sent back. It moves no money.',
    ...forApplication,
    method: 'POST',
    path: '/api/v1/payments/{payment}/return',
    options: { reason: text('reason', 'why, for the timeline') },
    confirmation: 'This records a return, and moves no money. Was the money sent back?',
  },
  {
    name: 'payment reverse',
    summary: 'Records what a bank took back of a payment. Invoices that it paid are open again.',
    ...forApplication,
    method: 'POST',
    path: '/api/v1/payments/{payment}/reverse',
    options: {
      amount: number('amount', 'all that was taken back; default: the whole payment; 0 undoes the reversal'),
      reason: requiredText('reason', 'why, for the timeline'),
    },
    confirmation: 'This takes the money from invoices and credit. Did the bank take it back?',
  },
  {
    name: 'payment reallocate',
    summary: 'Moves a payment to other invoices. The rest of it waits.',
    ...forApplication,
    method: 'POST',
    path: '/api/v1/payments/{payment}/reallocate',
    options: {
      invoices: json(
        'invoices',
        'all invoices that have a part of it afterwards, such as [{"invoiceId":"inv_...","amount":9.99}]',
      ),
      reason: requiredText('reason', 'why, for the timelines'),
    },
    confirmation: 'Invoices that lose their payment are open again. Move the money?',
  },
];
