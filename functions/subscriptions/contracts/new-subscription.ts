import * as z from 'zod/mini';
import { ExternalId } from '../../clients/external-id.ts';
import { maxQuantity } from '../../plans/plan.ts';
import { described } from '../../shared/fields/described.ts';
import { wellFormed } from '../../shared/fields/well-formed.ts';

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
