import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { described } from '../../shared/fields/described.ts';
import { changeFields, changeRoute } from './change-route.ts';

const Cancellation = z.object({
  ...changeFields,
  atPeriodEnd: z.optional(
    z
      .boolean()
      .check(
        described('Whether to cancel at the end of the trial or the paid term. Default: false, immediately.'),
      ),
  ),
});

export const route = defineRoute({
  path: '/api/v1/subscriptions/{id}',
  alsoAt: '/subscriptions/{id}',
  ofContract: 'path',
  finalByDefault: true,
  words: { title: 'Cancel', notice: 'The subscription is cancelled.' },
  summary: 'Cancels a subscription, immediately or at the end of the period.',
  description: [
    'By default the subscription ends immediately, even if the term is paid.',
    'Its open invoices become void, but for those of time that was granted: they become uncollectible, and stay owed. The cancellation is final.',
    'With `atPeriodEnd`, the subscription ends with the trial or the paid term.',
    'Until then, `uncancel` undoes the cancellation.',
    'An expired subscription becomes `cancelled`: its end and its invoices stay as they are, and no late payment makes it active again.',
    'Repeating the request returns 200 and changes nothing.',
  ].join(' '),
  ...changeRoute,
  body: Cancellation,
});
