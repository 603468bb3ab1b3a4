import * as z from 'zod/mini';
import { ExternalId } from '../../clients/external-id.ts';
import { maxQuantity } from '../../plans/plan.ts';
import {
  apiKeyRoute,
  commonErrors,
  defineRoute,
  idempotencyErrors,
  refusals,
  sellerRoute,
} from '../../shared/contract/route.ts';
import { described } from '../../shared/fields/described.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import { cursorField, limitField, nextCursorField } from '../../shared/fields/page.ts';
import { IdPath } from '../../shared/fields/path-id.ts';
import { wellFormed } from '../../shared/fields/well-formed.ts';
import {
  externalIdField,
  indexes,
  pageFields,
  pagesDescription,
  periodFields,
  planIdField,
  sellerListRoute,
  statusField,
} from '../../shared/lists/requests.ts';
import * as grants from '../grants.ts';
import { statuses } from '../record/subscription.ts';
import { CreatedSubscription, CurrentSubscription, OneSubscription, SubscriptionSchema } from '../schemas.ts';

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

export const createRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/subscriptions',
  alsoAt: '/subscriptions',
  ofContract: 'alsoAt',
  summary: 'Subscribes a client to a plan.',
  description: `\
The initial \`status\` depends on the plan and on the client:

- \`trialing\` if the plan has trial days and the client has not had a trial. No payment is due.
- \`pending\` otherwise. For payment by bank transfer, the invoice is mailed to the client. With a payment gateway,
  \`successUrl\` and \`cancelUrl\` are required; redirect the client to \`checkoutUrl\`. The subscription becomes active
  when the payment arrives, not when the client returns to \`successUrl\`.

A trial opens no checkout and needs neither URL. Send both all the same if you know them: the payment at the end of the trial
returns to them. Without them, it returns to its own page.

A client has at most one running subscription. If one is active or paused, the request fails with a \`conflict\` that
names it. It also fails while the application has the sandbox as its gateway and the deployment has none. A subscription on trial or past due keeps running until the new one is paid. A new pending subscription
supersedes an earlier one.

The response shows the subscription as \`GET /subscriptions/current\` does, but for \`planId\`: here it is the id of the plan.
With an \`Idempotency-Key\`, a repeated request within 24 hours returns the response to the first one.`,
  ...apiKeyRoute,
  headers: IdempotencyHeaders,
  body: NewSubscription,
  response: CreatedSubscription,
  status: 201,
  errors: {
    ...commonErrors,
    also: ['invalid_token', 'not_found', 'conflict', ...idempotencyErrors],
  },
  grants: { table: grants.creationTable, uses: ['timers', 'deploymentKey', 'sandboxGateway'] },
});

const ReadQuery = z.object({
  limit: limitField(
    2_000,
    'The maximum number of timeline entries, and of invoices up to 500. Default: 2,000, and 500 invoices.',
  ),
  cursor: cursorField,
});

export const readRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/subscriptions/{id}',
  alsoAt: '/subscriptions/{id}',
  summary: 'Retrieves a subscription with its invoices and its timeline.',
  description: [
    'Invoices and timeline are paged backwards: the first page contains the latest 500 invoices and the latest 2,000',
    'entries, or as many as fit in 3 and 2 MB. While there are earlier ones, the response has a `nextCursor`.',
    'On the pages after the end of one list, that list is empty.',
  ].join('\n'),
  ...sellerRoute,
  params: IdPath,
  query: ReadQuery,
  response: OneSubscription,
  errors: { ...commonErrors, also: refusals },
  grants: { table: { CLIENT: ['GetItem'], SUBSCRIPTION: ['GetItem', 'Query'] } },
});

const CurrentQuery = z.object({ externalId: ExternalId });

export const currentRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/subscriptions/current',
  alsoAt: '/subscriptions/current',
  ofContract: 'alsoAt',
  operationId: 'getCurrentSubscription',
  summary: "Retrieves a client's running subscription, or the newest one, with its entitlement.",
  description: [
    'Grant access when `entitled` is true.',
    'It is computed from the dates at the time of the request; `status` can lag behind by a moment.',
  ].join(' '),
  ...apiKeyRoute,
  query: CurrentQuery,
  response: CurrentSubscription,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
  grants: { table: { CLIENT: ['GetItem'] }, indexes: { byStatus: ['CLIENT'] } },
});

const SubscriptionList = z.object({
  subscriptions: z.array(SubscriptionSchema),
  nextCursor: nextCursorField(),
});

const SubscriptionListQuery = z.object({
  externalId: externalIdField('Your id of the client: only the subscriptions of this client.'),
  referenceNumber: z.optional(
    z
      .string()
      .check(
        z.maxLength(40),
        z.meta({ description: 'As typed by the subscriber: case, spaces and dashes are ignored.' }),
      ),
  ),
  status: statusField(statuses),
  planId: planIdField,
  ...periodFields('the creation'),
  ...pageFields,
});

export const listRoute = defineRoute({
  ...sellerListRoute,
  path: '/api/v1/subscriptions',
  alsoAt: '/subscriptions',
  summary: 'Lists the subscriptions of the application or of a client, or finds one by its reference number.',
  description: `\
Subscriptions are sorted by creation date, newest first: all of the application, those of the client in \`externalId\`, or
the one with \`referenceNumber\`. These two go with no other filter. A mistyped reference number is rejected as
\`invalid_request\`: its last character is a check character.

A subscription is shown as its own endpoint shows it. \`status\` is the one that is recorded, also while a timer is late.
\`access\` and \`entitled\` are computed from the dates and the client's credit.

${pagesDescription}`,
  query: SubscriptionListQuery,
  response: SubscriptionList,
  grants: {
    table: {
      APP: ['GetItem'],
      CLIENT: ['GetItem', 'BatchGetItem', 'Query'],
      REFERENCE: ['GetItem'],
    },
    indexes,
  },
});
