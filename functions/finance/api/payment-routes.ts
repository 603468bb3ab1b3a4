import { defineRoutes } from '../../shared/contract/route.ts';
import * as grants from '../../subscriptions/api/grants.ts';
import { OnePayment } from '../../subscriptions/api/responses.ts';
import {
  IdempotencyHeaders,
  NewPayment,
  PaymentPath,
  PaymentReturn,
  PaymentTargetBody,
} from './payment-requests.ts';

/** What moves the money of a payment. */
const movedPaymentTable = { ...grants.paymentTable, PAYMENT: ['GetItem', 'PutItem'] } as const;

/** Common to all endpoints for people who do the books. */
const sellerRoute = { auth: 'seller', operatorScope: 'finance', concurrentRateLimit: true } as const;
const commonErrors = { invalid: 'invalid_request', limited: 'rate_limited', failed: 'server_error' } as const;

export const paymentRoutes = defineRoutes({
  'payment-create': {
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
  },
  'payment-read': {
    method: 'GET',
    path: '/api/v1/payments/{id}',
    alsoAt: '/payments/{id}',
    summary: 'Retrieves a payment, with its status and how its amount was used.',
    description:
      'At any time `amount` is the sum of the amounts in `applied`, and of `credited`, `returned` and `waiting`.',
    ...sellerRoute,
    params: PaymentPath,
    response: OnePayment,
    errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
    grants: { table: { PAYMENT: ['GetItem'] } },
  },
  'payment-apply': {
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
  },
  'payment-return': {
    method: 'POST',
    path: '/api/v1/payments/{id}/return',
    alsoAt: '/payments/{id}/return',
    summary: 'Records that you sent a payment back.',
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
  },
});
