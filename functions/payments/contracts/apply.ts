import * as z from 'zod/mini';
import { OnePayment } from '../../ledger/payment-schema.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, sellerRoute } from '../../shared/contract/route-parts.ts';
import * as grants from '../../subscriptions/grants.ts';
import { movedPaymentTable } from '../grants.ts';
import { exactlyOne, id, PaymentPath, type Target } from '../schemas.ts';

const PaymentTargetBody = z
  .object({
    invoiceId: z.optional(id('the invoice to pay')),
    subscriptionId: z.optional(id('the subscription to pay')),
  })
  .check(exactlyOne<Target>('invoiceId', 'subscriptionId'));

export const route = defineRoute({
  method: 'POST',
  path: '/api/v1/payments/{id}/apply',
  alsoAt: '/payments/{id}/apply',
  summary: 'Applies an unapplied payment to an invoice, or to the open invoices of a subscription.',
  description: [
    'The amount in `waiting` is applied. An overpayment becomes credit of the client.',
    'When nothing is waiting, the request is refused as `invalid_transition`: a repeated request applies nothing twice.',
  ].join(' '),
  ...sellerRoute,
  params: PaymentPath,
  body: PaymentTargetBody,
  response: OnePayment,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition'] },
  grants: { ...grants.change, table: movedPaymentTable },
});
