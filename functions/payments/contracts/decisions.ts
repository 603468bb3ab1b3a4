import * as z from 'zod/mini';
import { ExternalId } from '../../clients/external-id.ts';
import { OnePayment } from '../../ledger/payment-schema.ts';
import { commonErrors, defineRoute, sellerRoute } from '../../shared/contract/route.ts';
import { described, Time } from '../../shared/fields/described.ts';
import { lineField } from '../../shared/fields/text.ts';
import { wellFormed } from '../../shared/fields/well-formed.ts';
import { Amount } from '../../shared/money/amount-schema.ts';
import { isCurrency } from '../../shared/money/money.ts';
import * as grants from '../../subscriptions/grants.ts';
import { movedPaymentTable, paymentTable } from '../grants.ts';
import { id, PaymentPath } from '../schemas.ts';

export const decisionRoute = {
  ...sellerRoute,
  method: 'POST',
  params: PaymentPath,
  response: OnePayment,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition'] },
  grants: { ...grants.change, table: movedPaymentTable },
} as const;

const PaymentReversal = z.object({
  amount: z.optional(
    z
      .number()
      .check(
        z.gte(0),
        described(
          'What the bank took back of the payment in all, a decimal amount. Without it, the whole payment. 0 undoes the reversal.',
          9.99,
        ),
      ),
  ),
  reason: lineField(500).check(
    described('Why, in your words. The timeline shows it.', 'The bank recalled the transfer.'),
  ),
});

export const reverseRoute = defineRoute({
  path: '/api/v1/payments/{id}/reverse',
  words: {
    title: 'Record that the bank took the payment back',
    question: 'This takes the money from invoices and credit. Did the bank take it back?',
    notice: 'The reversal is recorded.',
  },
  summary: 'Records that the bank took a payment back.',
  description: [
    'Use it when the bank recalled a transfer, and when a payment was recorded that never came.',
    'The money is taken from what waits, then from credit, then from invoices, the latest first.',
    'An invoice that was paid is open again, and the subscriber gets a mail.',
    'What you have sent back of the payment can be taken back as well: the client owes it, and `credited` is below 0.',
    '`amount` is the total, so a repeated request changes nothing.',
    'A payment at a gateway is reversed by the events of the gateway.',
  ].join(' '),
  ...decisionRoute,
  body: PaymentReversal,
});

const PaymentReturn = z.object({
  reason: z.optional(
    lineField(500).check(
      described(
        'Why the payment was sent back, in your words. The payment and the timeline show it.',
        'Paid twice.',
      ),
    ),
  ),
});

export const returnRoute = defineRoute({
  path: '/api/v1/payments/{id}/return',
  alsoAt: '/payments/{id}/return',
  words: {
    title: 'Record that the payment was sent back',
    question: 'This records a return, and moves no money. Was the money sent back?',
    notice: 'The return is recorded.',
  },
  summary: 'Records a refund: a payment that you sent back.',
  description: [
    'The request moves no money: make the transfer at your bank first.',
    'The amount in `waiting` is returned. When nothing is waiting, `credited` is returned, as far as the client has not used the credit.',
    'An amount that paid an invoice cannot be returned.',
    'A repeated request changes nothing.',
  ].join(' '),
  ...decisionRoute,
  body: PaymentReturn,
  bodyOptional: true,
});

const Part = z.object({
  invoiceId: id('the invoice'),
  amount: z
    .number()
    .check(z.gt(0), described('What the invoice has of the payment afterwards, a decimal amount.', 9.99)),
});

const PaymentReallocation = z.object({
  invoices: z.array(Part).check(
    z.maxLength(20),
    described('All invoices that have a part of the payment afterwards. Empty: the whole payment waits.'),
    z.check<{ invoiceId: string }[]>(({ value, issues }) => {
      const ids = value.map(({ invoiceId }) => invoiceId);
      const i = ids.findIndex((one, k) => ids.indexOf(one) < k);
      if (i < 0) return;
      issues.push({
        code: 'custom',
        input: value,
        message: 'is named before',
        path: [i, 'invoiceId'],
      });
    }),
  ),
  reason: lineField(500).check(
    described('Why, in your words. The timelines show it.', 'It was for the invoice of another client.'),
  ),
});

export const reallocateRoute = defineRoute({
  path: '/api/v1/payments/{id}/reallocate',
  words: {
    title: 'Move the payment between invoices',
    question: 'Invoices that lose their payment are open again. Move the money?',
    notice: 'The payment is divided as entered.',
  },
  summary: 'Moves the money of a payment to other invoices.',
  description: [
    'Use it when a payment was booked to the wrong client, or pays several invoices, of one client or of several.',
    'Afterwards each of `invoices` has exactly its amount of the payment.',
    'The rest of the payment waits for your decision: money that other invoices had, and credit that the client has not used.',
    'An invoice that was paid is open again, and its subscriber gets a mail. An invoice that is paid now has the effects of any payment.',
    'An amount above what is due of an invoice is refused with the amount due in `details`.',
    'The request states where the money is afterwards, so a repeated request changes nothing, and continues one that was interrupted.',
    'It moves no money at a bank or a gateway.',
  ].join(' '),
  ...decisionRoute,
  body: PaymentReallocation,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'money_moving', 'invalid_transition'] },
});

const reason = lineField(500).check(
  described('Why, in your words. The timeline shows it.', 'The client asked for it.'),
);

const payOutId = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(128),
    wellFormed,
    described('Your id of the pay-out. It is recorded once for each id.', 'payout-2026-11-24-1'),
  );

const PayOut = z.object({
  payOutId,
  amount: z.number().check(z.gt(0), described('The amount that you sent, a decimal amount.', 8.1)),
  currency: z
    .string()
    .check(
      z.refine(isCurrency, 'must be a currency of ISO 4217, such as EUR'),
      described('ISO 4217.', 'EUR'),
    ),
  reason,
});

export const OnePayOut = z.object({
  payOut: z.object({
    payOutId: z.string(),
    externalId: z.string(),
    subscriptionId: z.string().check(described('The subscription whose timeline shows it.')),
    amount: Amount,
    currency: z.string(),
    reason: z.string(),
    creditLeft: z.number().check(described('The credit of the client in the currency after it.')),
    recordedAt: Time,
  }),
});

export const payOutRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/clients/{externalId}/credit/pay-out',
  words: { title: 'Record a pay-out of credit', notice: 'The pay-out is recorded.' },
  operationId: 'payOutCredit',
  summary: 'Records that you sent credit back to a client.',
  description: [
    'The request moves no money: make the transfer at your bank first.',
    'An invoice that is due by then uses the credit first.',
    'The client gets a mail.',
    'An amount above the credit is refused with the credit in `details`.',
    'A repeated request answers 200 with the pay-out. The same `payOutId` with another client, amount or currency is a `conflict`.',
  ].join(' '),
  ...sellerRoute,
  params: z.object({ externalId: ExternalId }),
  body: PayOut,
  response: OnePayOut,
  status: 201,
  otherResponses: [{ status: 200, description: 'The pay-out was recorded before.', headers: [] }],
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict'] },
  grants: {
    ...grants.change,
    table: {
      ...paymentTable,
      CLIENT: [...paymentTable.CLIENT, 'GetItem'],
      PAYOUT: ['GetItem', 'PutItem'],
    },
    indexes: { byStatus: ['CLIENT'] },
  },
});
