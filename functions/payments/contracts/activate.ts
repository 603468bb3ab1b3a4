import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { apiKeyRoute, commonErrors, idempotencyErrors } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import { wellFormed } from '../../shared/fields/well-formed.ts';
import { isCurrency } from '../../shared/money/money.ts';
import { anyChangeRoute } from '../../subscriptions/contracts/change-route.ts';
import * as grants from '../../subscriptions/grants.ts';
import { activationTable } from '../grants.ts';

/** No payment is as large: amounts are exact in minor units of every currency. */
const maxAmount = 1_000_000_000;

const Payment = z.object({
  paymentId: z.optional(
    z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(128),
        wellFormed,
        described(
          'Your id for the payment. A payment is recorded once for each id: a repeat changes nothing.',
          'tx-4711',
        ),
      ),
  ),
  amount: z.optional(
    z
      .number()
      .check(
        z.gt(0),
        z.lte(maxAmount),
        described('The amount received, as a decimal number. Default: what is due.', 9.99),
      ),
  ),
  currency: z.optional(
    z
      .string()
      .check(
        z.refine(isCurrency, 'must be an ISO 4217 code'),
        described('The currency of the amount. Default: that of the open invoice.', 'EUR'),
      ),
  ),
  valueDate: z.optional(
    z
      .union([z.iso.date(), z.iso.datetime({ offset: true })])
      .check(
        described(
          'When the money arrived, from the year 2000 on and at most a day ahead. It decides whether the payment is in time. Default: now.',
          '2026-11-20',
        ),
      ),
  ),
  invoiceId: z.optional(
    z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(128),
        described('The `_id` of the invoice that was paid first. Default: the oldest open one.'),
      ),
  ),
});

export const route = defineRoute({
  path: '/api/v1/subscriptions/{id}/activate',
  alsoAt: '/subscriptions/{id}/activate',
  ofContract: 'path',
  finalByDefault: true,
  operationId: 'activateSubscription',
  summary: 'Records a payment that was made outside a gateway.',
  description: `\
Call it once the money has arrived, for example by bank transfer. With \`paymentId\` or an \`Idempotency-Key\`, a payment is
recorded once, whatever the amount.

The payment pays the invoice in \`invoiceId\`, then the oldest open invoices. A partial payment is kept for its invoice; what is left
becomes credit of the client, which the next invoice uses. During a trial, the paid term begins when the trial ends.

Without \`paymentId\` and \`amount\`, it pays all that is open. A repeat within 24 hours that finds only newer invoices pays
none of them and answers as the first request did. Without an open invoice it changes nothing. An expired subscription has
none: the request is refused with 409, and \`details.help\` names \`POST /payments\`, which records a late payment.`,
  ...apiKeyRoute,
  ...anyChangeRoute,
  headers: IdempotencyHeaders,
  body: Payment,
  errors: {
    ...commonErrors,
    also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition', ...idempotencyErrors],
  },
  grants: { ...grants.change, table: activationTable },
});
