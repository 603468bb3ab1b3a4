import * as z from 'zod/mini';
import { paymentMethods } from '../../ledger/payment.ts';
import { OnePayment } from '../../ledger/payment-schema.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, idempotencyErrors, sellerRoute } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import { lineField } from '../../shared/fields/text.ts';
import { wellFormed } from '../../shared/fields/well-formed.ts';
import { Iban } from '../../shared/money/bank-account.ts';
import * as grants from '../../subscriptions/grants.ts';
import { movedPaymentTable } from '../grants.ts';
import { exactlyOne, id, type Target } from '../schemas.ts';

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

export const route = defineRoute({
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
