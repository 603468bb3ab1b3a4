import * as z from 'zod/mini';
import { defined } from '../../shared/contract/defined.ts';
import { EmailAddress } from '../../shared/fields/email-address.ts';
import { IdempotencyKey } from '../../shared/fields/idempotency-key.ts';
import { cursorField, limitField } from '../../shared/fields/page.ts';
import { postalAddress } from '../../shared/fields/postal-address.ts';
import { lineField } from '../../shared/fields/text.ts';
import { VatId } from '../../shared/fields/vat-id.ts';
import { wellFormed } from '../../shared/fields/well-formed.ts';
import { isCurrency } from '../plans/money.ts';
import { maxQuantity } from '../plans/plan.ts';

const maxMetadataKeys = 50;
const maxMetadataBytes = 4 * 1024;
/** Fits the JSON of a client: 4 KB of metadata with every character as an escape sequence. */
export const clientMaxBytes = 64 * 1024;

const described = (description: string, ...examples: unknown[]) =>
  z.meta({ description, ...defined({ examples: examples.length > 0 ? examples : undefined }) });

const ExternalId = z
  .string()
  .check(z.minLength(1), z.maxLength(128), wellFormed, described('Your id for the subscriber.', 'user-4711'));

function jsonBytes(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    // JSON.stringify overflows the stack at some 8,000 levels of nesting, which JSON.parse accepts. Such a
    // value is too large.
    return Number.POSITIVE_INFINITY;
  }
}

const Metadata = z.record(z.string(), z.unknown()).check(
  z.refine(
    (value) => Object.keys(value).length <= maxMetadataKeys,
    `must hold at most ${maxMetadataKeys} keys`,
  ),
  z.refine(
    (value) => jsonBytes(value) <= maxMetadataBytes,
    `must be at most ${maxMetadataBytes} bytes of JSON`,
  ),
  described('A JSON object of up to 50 keys and 4 KB. It is stored and returned unchanged.'),
);

export const IdempotencyHeaders = z.object({ 'idempotency-key': z.optional(IdempotencyKey) });

export const NewClient = z.object({
  externalId: ExternalId,
  email: EmailAddress,
  name: z.optional(lineField(200)),
  address: z.optional(
    z
      .object(postalAddress(lineField))
      .check(described('The full address, for invoices. Its country decides the tax.')),
  ),
  vatId: z.optional(VatId),
  metadata: z.optional(Metadata),
});

/** Why a text is no valid return URL; undefined when it is one. */
function returnUrlProblem(text: string): string | undefined {
  const url =
    /^https?:\/\/[^/?#]/i.test(text) && !/[\p{Cc}\p{White_Space}\\]/u.test(text) ? URL.parse(text) : null;
  if (url === null) return 'must be an absolute https URL';
  if (url.username !== '' || url.password !== '') return 'must hold no user name or password';
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || isLoopback ? undefined : 'must be https; http is for localhost';
}

const ReturnUrl = z.string().check(
  z.maxLength(2_048),
  wellFormed,
  z.check<string>(({ value, issues }) => {
    const message = returnUrlProblem(value);
    if (message !== undefined) issues.push({ code: 'custom', input: value, message });
  }),
);

export const NewSubscription = z.object({
  externalId: ExternalId,
  planId: z.string().check(z.minLength(1), z.maxLength(128), described('The `_id` of one of your plans.')),
  quantity: z.optional(
    z
      .int()
      .check(
        z.gte(1),
        z.lte(maxQuantity),
        described('How many units, such as seats, where the plan has a `quantity`. Default: its `min`.'),
      ),
  ),
  startDate: z.optional(
    z.iso
      .datetime({ offset: true })
      .check(described('When access starts, from a day ago to a year ahead. Default: now.')),
  ),
  autoRenew: z._default(
    z.boolean().check(described('Whether the subscription renews at the end of each term. Default: true.')),
    true,
  ),
  successUrl: z.optional(
    ReturnUrl.check(
      described(
        'Where the subscriber is sent after the payment. Required with a payment gateway, unless the subscription begins with a trial.',
        'https://app.example/thanks',
      ),
    ),
  ),
  cancelUrl: z.optional(
    ReturnUrl.check(
      described(
        'Where the subscriber is sent after leaving the checkout. Required with a payment gateway, unless the subscription begins with a trial.',
        'https://app.example/plans',
      ),
    ),
  ),
});

export const CurrentQuery = z.object({ externalId: ExternalId });

export const PlansQuery = z.object({
  limit: limitField(100, 'The maximum number of items. Default: 100.'),
  cursor: cursorField,
});

export const ReadQuery = z.object({
  limit: limitField(
    2_000,
    'The maximum number of timeline entries, and of invoices up to 500. Default: 2,000, and 500 invoices.',
  ),
  cursor: cursorField,
});

/** No payment is as large: amounts are exact in minor units of every currency. */
const maxAmount = 1_000_000_000;

export const Payment = z.object({
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

export const Cancellation = z.object({
  atPeriodEnd: z.optional(
    z
      .boolean()
      .check(
        described('Whether to cancel at the end of the trial or the paid term. Default: false, immediately.'),
      ),
  ),
});

const at = (description: string) =>
  z.optional(z.iso.datetime({ offset: true }).check(described(description)));
const changes = {
  trialEnd: at('The new end of the trial: later than the present one, by up to 366 days.'),
  endDate: at('The new end of the paid term: later than the present one, by up to 366 days.'),
  autoRenew: z.optional(
    z.boolean().check(described('Whether the subscription renews at the end of each term.')),
  ),
};

export const SubscriptionChange = z
  .object({
    ...changes,
    reason: lineField(500).check(
      described('Why, for the timeline. The subscriber does not see it.', 'Apology for the outage of 3 May'),
    ),
  })
  .check(
    z.refine(
      (body) => [body.trialEnd, body.endDate, body.autoRenew].filter((v) => v !== undefined).length === 1,
      {
        message: 'exactly one of trialEnd, endDate and autoRenew must be given',
        path: ['trialEnd'],
      },
    ),
  );

export const Pause = z.object({
  resumesAt: z.optional(
    z.iso
      .datetime({ offset: true })
      .check(described('When the subscription resumes, up to a year ahead. Default: when you resume it.')),
  ),
});
