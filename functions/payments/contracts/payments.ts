import * as z from 'zod/mini';
import { paymentMethods, paymentStatuses } from '../../ledger/payment.ts';
import { OnePayment } from '../../ledger/payment-schema.ts';
import {
  apiKeyRoute,
  commonErrors,
  defineRoute,
  idempotencyErrors,
  sellerRoute,
} from '../../shared/contract/route.ts';
import { described } from '../../shared/fields/described.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import { lineField } from '../../shared/fields/text.ts';
import { wellFormed } from '../../shared/fields/well-formed.ts';
import {
  externalIdField,
  indexes,
  nextCursor,
  onlyField,
  pageFields,
  pagesDescription,
  periodFields,
  sellerListRoute,
  statusField,
} from '../../shared/lists/requests.ts';
import { Iban } from '../../shared/money/bank-account.ts';
import { isCurrency } from '../../shared/money/money.ts';
import { anyChangeRoute } from '../../subscriptions/contracts/changes.ts';
import * as grants from '../../subscriptions/grants.ts';
import { activationTable, movedPaymentTable } from '../grants.ts';
import { exactlyOne, id, PaymentPath, type Target } from '../schemas.ts';
import { decisionRoute } from './decisions.ts';

const NewPayment = z
  .object({
    reference: z.optional(
      lineField(140).check(
        described(
          'The reference that the payer wrote. Case, spaces and dashes of a reference number are ignored.',
          'SUB-7K3M9XQP',
        ),
      ),
    ),
    invoiceId: z.optional(id('the invoice that was paid')),
    subscriptionId: z.optional(id('the subscription that was paid')),
    amount: z
      .number()
      .check(z.gt(0), described('The amount received, as a decimal number in the currency.', 9.99)),
    currency: z.string().check(z.regex(/^[A-Z]{3}$/), described('The currency, as an ISO 4217 code.', 'EUR')),
    valueDate: z.optional(
      z
        .union([z.iso.date(), z.iso.datetime({ offset: true })])
        .check(
          described(
            [
              'When the money moved: a date (00:00 UTC of that day) or a time, from the year 2000 on and at most a day ahead.',
              'It decides whether the payment is in time. Default: now.',
            ].join(' '),
            '2026-11-22',
          ),
        ),
    ),
    method: z._default(
      z.enum(paymentMethods).check(described('The payment method. Default: `bank_transfer`.')),
      'bank_transfer',
    ),
    paymentId: z.optional(
      z
        .string()
        .check(
          z.minLength(1),
          z.maxLength(128),
          wellFormed,
          described(
            'Your id for the payment. A payment is recorded once for each id. Required without an `Idempotency-Key`.',
            'transfer-2026-11-22-0017',
          ),
        ),
    ),
    payer: z.optional(
      z
        .object({
          name: z.optional(lineField(200)),
          iban: z.optional(
            Iban.check(described('The IBAN of the payer, without spaces.', 'DE02120300000000202051')),
          ),
        })
        .check(described('Who paid, as the bank states it.')),
    ),
  })
  .check(exactlyOne<Target>('reference', 'invoiceId', 'subscriptionId'));

export const createRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/payments',
  alsoAt: '/payments',
  words: { title: 'Record a payment', notice: 'The payment is recorded.' },
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
    also: ['invalid_token', 'not_found', 'conflict', ...idempotencyErrors],
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

const PaymentListQuery = z.object({
  status: statusField(paymentStatuses),
  unapplied: onlyField('`true`: only payments of which something waits for a decision.'),
  externalId: externalIdField('Only the payments of this client. Pages can be shorter: see the description.'),
  ...periodFields('the time at which they were recorded'),
  ...pageFields,
});

const PaymentList = z.object({
  payments: z.array(OnePayment.shape.payment),
  nextCursor,
});

export const listRoute = defineRoute({
  ...sellerListRoute,
  path: '/api/v1/payments',
  alsoAt: '/payments',
  summary: 'Lists the payments of the application.',
  description: `\
Payments are sorted by the time at which they were recorded, newest first.

${pagesDescription}`,
  query: PaymentListQuery,
  response: PaymentList,
  grants: { table: { APP: ['GetItem'], PAYMENT: ['BatchGetItem'] }, indexes },
});

export const readRoute = defineRoute({
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
});

const PaymentTargetBody = z
  .object({
    invoiceId: z.optional(id('the invoice to pay')),
    subscriptionId: z.optional(id('the subscription to pay')),
  })
  .check(exactlyOne<Target>('invoiceId', 'subscriptionId'));

export const applyRoute = defineRoute({
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

export const activateRoute = defineRoute({
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
  bodyOptional: true,
  headers: IdempotencyHeaders,
  body: Payment,
  errors: {
    ...commonErrors,
    also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition', ...idempotencyErrors],
  },
  grants: { ...grants.change, table: activationTable },
});
