import { defineRoute } from '../../shared/contract/route.ts';
import * as grants from '../../subscriptions/api/grants.ts';
import { OnePayment } from '../../subscriptions/api/responses.ts';
import { IdempotencyHeaders, NewPayment } from '../api/payment-requests.ts';
import { commonErrors, movedPaymentTable, sellerRoute } from './common.ts';

export const route = defineRoute({
  method: 'POST',
  path: '/api/v1/payments',
  alsoAt: '/payments',
  summary: 'Records a payment that was made outside a gateway, and applies it.',
  description: `\
Name what was paid: a \`reference\` as the payer wrote it, an invoice, or a subscription. The payment pays the named
invoice first, then the oldest open one. A shortfall within the setting \`payments.tolerance\` pays an invoice. An
overpayment becomes credit of the client, which the next invoice uses. A payment that cannot be applied is recorded as
\`unapplied\` and waits for your decision: apply it, or send it back and record the return.

A payment is recorded once for each \`paymentId\`: a repeated request answers 200 with the payment as it is now. The same
\`paymentId\` with another amount or currency is a \`conflict\`. Without a \`paymentId\`, an \`Idempotency-Key\` is required, and
a request with the same key is executed once within 24 hours.`,
  ...sellerRoute,
  headers: IdempotencyHeaders,
  body: NewPayment,
  response: OnePayment,
  status: 201,
  otherResponses: [{ status: 200, description: 'The payment was recorded before.', headers: [] }],
  errors: {
    ...commonErrors,
    also: ['invalid_token', 'not_found', 'conflict', 'idempotency_mismatch', 'idempotency_in_progress'],
  },
  grants: {
    ...grants.change,
    table: {
      ...movedPaymentTable,
      // The item of the reference number names the owner.
      REFERENCE: ['GetItem'],
      CLIENT: [...movedPaymentTable.CLIENT, 'GetItem'],
      IDEMPOTENCY: ['GetItem', 'PutItem'],
    },
  },
});
