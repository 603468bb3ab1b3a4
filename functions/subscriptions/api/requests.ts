import * as z from 'zod/mini';
import { EmailAddress } from '../../shared/fields/email-address.ts';
import { IdempotencyKey } from '../../shared/fields/idempotency-key.ts';
import { wellFormed } from '../../shared/fields/well-formed.ts';

const maxMetadataKeys = 50;
const maxMetadataBytes = 4 * 1024;
/** The most that JSON needs for a client: every character of 4 KB of metadata as an escape sequence. */
export const clientMaxBytes = 64 * 1024;

const described = (description: string, ...examples: unknown[]) =>
  z.meta({ description, ...(examples.length > 0 && { examples }) });

const ExternalId = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(128),
    wellFormed,
    described('Your own id of the subscriber.', 'user-4711'),
  );

function jsonBytes(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    // Parsing knows no depth, writing does: what is nested some 8,000 levels deep is too large anyway.
    return Number.POSITIVE_INFINITY;
  }
}

/** Any JSON of up to 50 keys and 4 KB. */
const Metadata = z.record(z.string(), z.unknown()).check(
  z.refine(
    (value) => Object.keys(value).length <= maxMetadataKeys,
    `must hold at most ${maxMetadataKeys} keys`,
  ),
  z.refine(
    (value) => jsonBytes(value) <= maxMetadataBytes,
    `must be at most ${maxMetadataBytes} bytes of JSON`,
  ),
  described('Yours: kept, and shown to you.'),
);

export const KeyHeaders = z.object({ 'idempotency-key': z.optional(IdempotencyKey) });

export const NewClient = z.object({
  externalId: ExternalId,
  email: EmailAddress,
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(200), wellFormed)),
  metadata: z.optional(Metadata),
});

/** Says what keeps a text from being an address to return to; undefined when nothing does. */
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
  planId: z.string().check(z.minLength(1), z.maxLength(128), described('`_id` of one of your plans.')),
  startDate: z.optional(
    z.iso
      .datetime({ offset: true })
      .check(described('From a day ago to a year ahead; now by default. Nobody is entitled before.')),
  ),
  autoRenew: z._default(z.boolean().check(described('Whether another term follows; by default.')), true),
  successUrl: z.optional(
    ReturnUrl.check(
      described(
        'Where the subscriber returns after paying; required with a gateway.',
        'https://app.example/thanks',
      ),
    ),
  ),
  cancelUrl: z.optional(
    ReturnUrl.check(
      described('Where he returns without; required with a gateway.', 'https://app.example/plans'),
    ),
  ),
});

export const CurrentQuery = z.object({ externalId: ExternalId });

export const ListQuery = z.object({
  externalId: z.optional(ExternalId),
  referenceNumber: z.optional(
    z
      .string()
      .check(z.maxLength(40), described('As the subscriber typed it: case and blanks make no difference.')),
  ),
  limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(100), described('100 by default.'))),
  cursor: z.optional(z.string().check(z.maxLength(2_048))),
});

export const PlansQuery = z.object({
  limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(100), described('100 by default.'))),
  cursor: z.optional(z.string().check(z.maxLength(2_048))),
});

export const SubscriptionPath = z.object({ id: z.string().check(z.minLength(1), z.maxLength(128)) });
export const CheckoutPath = z.object({ token: z.string().check(z.minLength(1), z.maxLength(128)) });
export const WebhookPath = z.object({ applicationId: z.string().check(z.minLength(1), z.maxLength(128)) });

export const Payment = z.object({
  invoiceId: z.optional(
    z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(128),
        described('Which invoice was paid; all that are open by default.'),
      ),
  ),
});

export const Cancellation = z.object({
  atPeriodEnd: z.optional(
    z.boolean().check(described('Ends when the trial or the paid term does, rather than now.')),
  ),
});

export const Pause = z.object({
  resumesAt: z.optional(
    z.iso
      .datetime({ offset: true })
      .check(described('Ahead, by up to a year; by default until you resume it.')),
  ),
});

export const Choice = z.object({ action: z.enum(['pay', 'cancel', 'reverse']) });
export const RawBody = z.object({ raw: z.string() });
export const StripeHeaders = z.object({ 'stripe-signature': z.optional(z.string()) });
export const AcceptHeaders = z.object({ accept: z.optional(z.string()) });
