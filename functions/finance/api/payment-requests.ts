/** Requests about payments. */
import * as z from 'zod/mini';
import { IdempotencyKey } from '../../shared/fields/idempotency-key.ts';
import { lineField } from '../../shared/fields/text.ts';
import { wellFormed } from '../../shared/fields/well-formed.ts';
import { paymentMethods } from '../../subscriptions/payments/payment.ts';

const described = (description: string, ...examples: unknown[]) =>
  z.meta(examples.length > 0 ? { description, examples } : { description });

const id = (what: string) =>
  z.string().check(z.minLength(1), z.maxLength(128), wellFormed, described(`The \`_id\` of ${what}.`));

export const PaymentPath = z.object({ id: z.string().check(z.minLength(1), z.maxLength(128)) });
export const IdempotencyHeaders = z.object({ 'idempotency-key': z.optional(IdempotencyKey) });

/** Refuses a body that names none of the fields, or more than one. */
const exactlyOne = <T extends object>(...names: (keyof T & string)[]) =>
  z.check<T>(({ value, issues }) => {
    const given = names.filter((name) => value[name] !== undefined);
    if (given.length === 1) return;
    const message = `exactly one of ${names.join(', ')} is required`;
    issues.push({ code: 'custom', input: value, message, path: [given[1] ?? names[0] ?? ''] });
  });

interface Target {
  reference?: string | undefined;
  invoiceId?: string | undefined;
  subscriptionId?: string | undefined;
}

export const NewPayment = z
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
            z
              .string()
              .check(
                z.regex(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, 'must be an IBAN without spaces'),
                described('The IBAN of the payer, without spaces.', 'DE02120300000000202051'),
              ),
          ),
        })
        .check(described('Who paid, as the bank states it.')),
    ),
  })
  .check(exactlyOne<Target>('reference', 'invoiceId', 'subscriptionId'));

export const PaymentTargetBody = z
  .object({
    invoiceId: z.optional(id('the invoice to pay')),
    subscriptionId: z.optional(id('the subscription to pay')),
  })
  .check(exactlyOne<Target>('invoiceId', 'subscriptionId'));

export const PaymentReturn = z.object({
  reason: z.optional(
    lineField(500).check(
      described(
        'Why the payment was sent back, in your words. The payment and the timeline show it.',
        'Paid twice.',
      ),
    ),
  ),
});
