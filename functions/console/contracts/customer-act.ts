import * as z from 'zod/mini';
import { page } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { change } from '../../subscriptions/grants.ts';
import { actRoute, field, formBody, reasonBody, sessionTable } from './console-route.ts';
import { CustomerPath, customerPath } from './customer-path.ts';

const acts = [
  'cancel',
  'cancel-at-end',
  'uncancel',
  'extend',
  'renewal-off',
  'renewal-on',
  'credit',
  'mail-link',
  'replace-link',
] as const;

/** A number in a field of a form. */
const count = (description: string) =>
  z.optional(z.string().check(z.regex(/^\d{1,15}$/), z.meta({ description, examples: ['3'] })));

const CustomerAct = z.object({
  ...formBody,
  action: z.enum(acts),
  ...reasonBody,
  revision: count(
    'The revision of the subscription that the page showed. With another one, nothing is changed.',
  ),
  fromMs: count('For `extend`: the current end, in epoch milliseconds.'),
  days: field('For `extend`: the days after it.', 4),
  invoice: field('For `credit`: the id of the invoice and its revision, as the page showed them.'),
  amount: field('For `credit`: a decimal amount. Empty for the full remaining amount.', 20),
  once: field('For `credit`: a random text of the page. The form takes effect once.', 64),
  version: count('For `replace-link`: the version of the link that the page showed.'),
});

export type CustomerAct = z.output<typeof CustomerAct>;

export const route = defineRoute({
  ...actRoute,
  path: customerPath,
  summary: 'Receives the forms of the page of a subscription.',
  description: [
    'For browsers.',
    'Cancels, undoes a cancellation, extends, turns automatic renewal on or off, credits an invoice, mails the link to the billing page or replaces it.',
    'The audit record is written in the same transaction.',
  ].join(' '),
  params: CustomerPath,
  body: CustomerAct,
  otherResponses: [
    ...actRoute.otherResponses,
    page(409, 'The subscription has changed since the page was shown, or its status does not allow the act.'),
    page(422, 'An entry of the form is not possible. The page says which.'),
  ],
  errors: { ...actRoute.errors, also: ['not_found'] },
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
