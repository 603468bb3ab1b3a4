import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { described } from '../../shared/fields/described.ts';
import { lineField } from '../../shared/fields/text.ts';
import { decisionRoute } from './decision-route.ts';

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

export const route = defineRoute({
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
