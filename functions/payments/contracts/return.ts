import * as z from 'zod/mini';
import { OnePayment } from '../../ledger/payment-schema.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, sellerRoute } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { lineField } from '../../shared/fields/text.ts';
import * as grants from '../../subscriptions/grants.ts';
import { movedPaymentTable } from '../grants.ts';
import { PaymentPath } from '../schemas.ts';

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
  method: 'POST',
  path: '/api/v1/payments/{id}/return',
  alsoAt: '/payments/{id}/return',
  summary: 'Records a refund: a payment that you sent back.',
  description: [
    'The request moves no money: make the transfer at your bank first.',
    'The amount in `waiting` is returned. When nothing is waiting, `credited` is returned, as far as the client has not used the credit.',
    'An amount that paid an invoice cannot be returned.',
    'A repeated request changes nothing.',
  ].join(' '),
  ...sellerRoute,
  params: PaymentPath,
  body: PaymentReturn,
  bodyOptional: true,
  response: OnePayment,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition'] },
  grants: { ...grants.change, table: movedPaymentTable },
});
