import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { exactlyOne, id, type Target } from '../schemas.ts';
import { decisionRoute } from './decision-route.ts';

const PaymentTargetBody = z
  .object({
    invoiceId: z.optional(id('the invoice to pay')),
    subscriptionId: z.optional(id('the subscription to pay')),
  })
  .check(exactlyOne<Target>('invoiceId', 'subscriptionId'));

export const route = defineRoute({
  path: '/api/v1/payments/{id}/apply',
  alsoAt: '/payments/{id}/apply',
  words: { title: 'Apply the payment', notice: 'The payment is applied.' },
  summary: 'Applies an unapplied payment to an invoice, or to the open invoices of a subscription.',
  description: [
    'The amount in `waiting` is applied. An overpayment becomes credit of the client.',
    'When nothing is waiting, the request is refused as `invalid_transition`: a repeated request applies nothing twice.',
  ].join(' '),
  ...decisionRoute,
  body: PaymentTargetBody,
});
