import * as z from 'zod/mini';
import { page } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { change } from '../../subscriptions/grants.ts';
import { actionRoute, count, field, hidden, reasonBody, sessionTable } from './console-route.ts';
import { CustomerPath, customerPath } from './customer-path.ts';

const revision = count(
  'The revision of the subscription that the page showed. With another one, nothing is changed.',
);

const CustomerAction = z.discriminatedUnion('action', [
  z.object({
    action: z.enum(['cancel', 'cancel-at-end', 'uncancel', 'renewal-off', 'renewal-on']),
    ...reasonBody,
    revision,
  }),
  z.object({
    action: z.literal('extend'),
    ...reasonBody,
    revision,
    fromMs: count('The current end, in epoch milliseconds.'),
    days: field('The days after it.', 4),
  }),
  z.object({
    action: z.literal('credit'),
    ...reasonBody,
    invoice: hidden('The id of the invoice and the number of its events, as the page showed them.', 256),
    amount: field('A decimal amount. Empty for the full remaining amount.', 20),
    once: hidden('A random text of the page. The form takes effect once.', 64),
  }),
  z.object({ action: z.literal('mail-link'), ...reasonBody }),
  z.object({
    action: z.literal('replace-link'),
    ...reasonBody,
    version: count('The version of the link that the page showed.'),
  }),
]);

export type CustomerAction = z.output<typeof CustomerAction>;

export const route = defineRoute({
  ...actionRoute,
  path: customerPath,
  summary: 'Receives the forms of the page of a subscription.',
  description: [
    'For browsers.',
    'Cancels, undoes a cancellation, extends, turns automatic renewal on or off, credits an invoice, mails the link to the billing page or replaces it.',
    'The audit record is written in the same transaction.',
  ].join(' '),
  params: CustomerPath,
  body: CustomerAction,
  otherResponses: [
    ...actionRoute.otherResponses,
    page(
      409,
      'The subscription has changed since the page was shown, or its status does not allow the action.',
    ),
    page(422, 'An entry of the form is not possible. The page says which.'),
  ],
  errors: { ...actionRoute.errors, also: ['not_found'] },
  grants: {
    table: {
      ...change.table,
      ...sessionTable,
      INVOICE: ['GetItem', 'PutItem'],
      IDEMPOTENCY: ['GetItem', 'PutItem'],
      AUDIT: ['PutItem'],
    },
    uses: change.uses,
  },
});
