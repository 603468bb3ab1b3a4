import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { described } from '../../shared/fields/described.ts';
import { lineField } from '../../shared/fields/text.ts';
import { decisionRoute } from './decision-route.ts';

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

export const route = defineRoute({
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
