import * as z from 'zod/mini';
import { defineRoutes } from '../shared/contract/route.ts';
import {
  AcceptHeaders,
  Cancellation,
  CheckoutPath,
  Choice,
  CurrentQuery,
  clientMaxBytes,
  KeyHeaders,
  ListQuery,
  NewClient,
  NewSubscription,
  Pause,
  Payment,
  PlansQuery,
  RawBody,
  StripeHeaders,
  SubscriptionPath,
  WebhookPath,
} from './api/requests.ts';
import {
  Created,
  Current,
  OneClient,
  OneInvoice,
  OneSubscription,
  PlanList,
  Received,
  Subscribed,
  SubscriptionList,
} from './api/responses.ts';
import { NewPlan, OnePlan, PlanChange, PlanPath, PlansPath } from './plans/plan.ts';

/** What every endpoint of applications has in common. */
const asApplication = { auth: 'apiKey', concurrentRateLimit: true } as const;
const usual = { invalid: 'invalid_request', limited: 'rate_limited', failed: 'server_error' } as const;
const keyed = ['idempotency_mismatch', 'idempotency_in_progress'] as const;

/** What a change of a subscription reads and writes. */
const changing = {
  table: {
    SUBSCRIPTION: ['GetItem', 'PutItem', 'UpdateItem'],
    CLIENT: ['BatchGetItem', 'PutItem'],
    INVOICE: ['PutItem'],
    APP: ['GetItem'],
    PLAN: ['GetItem'],
  },
  uses: ['timers'],
} as const;

/** A payment looks at its invoice, and is bound to which subscriptions its client has. */
const paying = {
  ...changing.table,
  CLIENT: [...changing.table.CLIENT, 'ConditionCheckItem', 'UpdateItem'],
  INVOICE: ['GetItem', 'PutItem'],
} as const;

const changes = {
  ...asApplication,
  method: 'POST',
  params: SubscriptionPath,
  bodyOptional: true,
  response: Subscribed,
  errors: { ...usual, also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition'] },
  grants: changing,
} as const;

export const routes = defineRoutes({
  'plan-list': {
    method: 'GET',
    path: '/api/v1/plans',
    alsoAt: '/plans',
    summary: 'Lists the plans of the application.',
    description:
      'Oldest first. Those with `isActive: false` are sold no more, and are listed for those who have them.',
    ...asApplication,
    query: PlansQuery,
    response: PlanList,
    errors: { ...usual, also: ['invalid_token'] },
    grants: { table: { PLAN: ['Query'] } },
  },
  'client-upsert': {
    method: 'POST',
    path: '/api/v1/clients',
    alsoAt: '/clients',
    summary: 'Registers a client, or changes what is given of one.',
    description:
      '201 when the client is new, 200 when it was known; fields that are left out stay as they were.',
    ...asApplication,
    headers: KeyHeaders,
    body: NewClient,
    maxBodyBytes: clientMaxBytes,
    response: OneClient,
    status: 201,
    errors: { ...usual, also: ['invalid_token', 'conflict', ...keyed] },
    grants: { table: { CLIENT: ['GetItem', 'UpdateItem'], IDEMPOTENCY: ['GetItem', 'PutItem'] } },
  },
  create: {
    method: 'POST',
    path: '/api/v1/subscriptions',
    alsoAt: '/subscriptions',
    summary: 'Subscribes a client to a plan.',
    description: `\
What it becomes depends on the plan and on what the client has:

- \`trialing\`, if the plan has trial days and the client has had no trial yet; nothing is to be paid.
- \`pending\` otherwise. By bank transfer he gets the invoice by mail; with a gateway send him to \`checkoutUrl\`, where \`successUrl\`
  and \`cancelUrl\` are required. Only the payment activates it, not the return to \`successUrl\`.

A client has one running subscription: while one is active or paused the answer is a \`conflict\` that names it. One on trial or
overdue stays until the new one is paid. A newer pending one supersedes an older.

With an \`Idempotency-Key\` a repeat within a day answers what the first one did.`,
    ...asApplication,
    headers: KeyHeaders,
    body: NewSubscription,
    response: Created,
    status: 201,
    errors: { ...usual, also: ['invalid_token', 'not_found', 'conflict', ...keyed] },
    grants: {
      table: {
        ...changing.table,
        CLIENT: ['BatchGetItem', 'ConditionCheckItem', 'UpdateItem', 'PutItem'],
        SUBSCRIPTION: ['PutItem', 'UpdateItem'],
        APP: ['GetItem', 'BatchGetItem'],
        PLAN: ['GetItem', 'BatchGetItem'],
        IDEMPOTENCY: ['GetItem', 'PutItem'],
        REFERENCE: ['PutItem'],
      },
      uses: ['timers', 'deploymentKey'],
    },
  },
  current: {
    method: 'GET',
    path: '/api/v1/subscriptions/current',
    alsoAt: '/subscriptions/current',
    summary: "A client's running subscription, else his newest one, and what he is entitled to.",
    description:
      'Let him in where `entitled` is true. It follows from the dates at this moment; `status` may be a moment behind.',
    ...asApplication,
    query: CurrentQuery,
    response: Current,
    errors: { ...usual, also: ['invalid_token', 'not_found'] },
    grants: { indexes: { byStatus: ['CLIENT'] } },
  },
  list: {
    method: 'GET',
    path: '/api/v1/subscriptions',
    alsoAt: '/subscriptions',
    summary: 'All subscriptions of a client, or the one that has a reference number.',
    description:
      'Newest first. One of the two parameters is required. A reference number with a typing error is an `invalid_request`: its last character is a check.',
    ...asApplication,
    query: ListQuery,
    response: SubscriptionList,
    errors: { ...usual, also: ['invalid_token'] },
    grants: {
      table: { CLIENT: ['GetItem', 'Query'], REFERENCE: ['GetItem'] },
    },
  },
  read: {
    method: 'GET',
    path: '/api/v1/subscriptions/{id}',
    alsoAt: '/subscriptions/{id}',
    summary: 'A subscription with its invoices and its timeline.',
    description: 'Of a very long timeline the latest 2,000 entries are shown.',
    ...asApplication,
    params: SubscriptionPath,
    response: OneSubscription,
    errors: { ...usual, also: ['invalid_token', 'not_found'] },
    grants: { table: { CLIENT: ['GetItem'], SUBSCRIPTION: ['Query'] } },
  },
  cancel: {
    path: '/api/v1/subscriptions/{id}',
    alsoAt: '/subscriptions/{id}',
    summary: 'Cancels a subscription, now or at the end of what is paid.',
    description:
      'Now by default, whatever is paid: open invoices become void, and nothing brings it back. At the end of the period it goes on until then, and `uncancel` takes it back. A repeat answers 200 and does nothing.',
    ...changes,
    body: Cancellation,
  },
  activate: {
    path: '/api/v1/subscriptions/{id}/activate',
    alsoAt: '/subscriptions/{id}/activate',
    summary: 'Says that the payment arrived.',
    description:
      'For what is paid outside of a gateway, once you have seen the money. Pays every open invoice, or the one that is named. On trial, the paid term begins when the trial ends. Where nothing is open it does nothing, so a repeat buys no second term.',
    ...changes,
    body: Payment,
    grants: { ...changing, table: paying },
  },
  pause: {
    path: '/api/v1/subscriptions/{id}/pause',
    alsoAt: '/subscriptions/{id}/pause',
    summary: 'Pauses an active subscription; what is left of its term is not lost.',
    description: 'Nobody is entitled meanwhile. No invoice is issued, and none can be paid.',
    ...changes,
    body: Pause,
  },
  resume: {
    path: '/api/v1/subscriptions/{id}/resume',
    alsoAt: '/subscriptions/{id}/resume',
    summary: 'Resumes a paused subscription; its term ends later by the time it was paused.',
    ...changes,
    body: z.object({}),
  },
  uncancel: {
    path: '/api/v1/subscriptions/{id}/uncancel',
    alsoAt: '/subscriptions/{id}/uncancel',
    summary: 'Takes back a cancellation at the end of the term.',
    description: 'Until that end comes.',
    ...changes,
    body: z.object({}),
  },
  'invoice-read': {
    method: 'GET',
    path: '/api/v1/invoices/{id}',
    alsoAt: '/invoices/{id}',
    summary: 'An invoice as JSON, as a page or as PDF: by `Accept`.',
    description:
      '`application/json` by default, `text/html`, or `application/pdf` where that is the first type named.',
    ...asApplication,
    params: SubscriptionPath,
    headers: AcceptHeaders,
    response: OneInvoice,
    errors: { ...usual, also: ['invalid_token', 'not_found'] },
    grants: { table: { INVOICE: ['GetItem'], SUBSCRIPTION: ['GetItem'] }, files: ['invoice-font.ttf'] },
  },
  'checkout-show': {
    method: 'GET',
    path: '/checkout/{token}',
    summary: 'The page on which a subscriber pays an invoice; with Stripe it leads there.',
    description:
      'For browsers. The link is `checkoutUrl`, and is in every mail about an open invoice; it is the same each time.',
    auth: 'none',
    params: CheckoutPath,
    response: z.string(),
    produces: 'text/html; charset=utf-8',
    errors: { invalid: 'not_found', failed: 'server_error', also: ['not_found'] },
    grants: {
      table: {
        INVOICE: ['GetItem'],
        SUBSCRIPTION: ['GetItem', 'UpdateItem'],
        CLIENT: ['GetItem'],
        APP: ['GetItem'],
      },
      uses: ['deploymentKey', 'stripe'],
    },
  },
  'checkout-submit': {
    method: 'POST',
    path: '/checkout/{token}',
    summary: 'What the subscriber chose on the page of the sandbox: pay, cancel, or take the payment back.',
    auth: 'none',
    params: CheckoutPath,
    body: Choice,
    bodyType: 'form',
    response: z.string(),
    produces: 'text/html; charset=utf-8',
    status: 303,
    errors: { invalid: 'invalid_request', failed: 'server_error', also: ['not_found'] },
    grants: {
      table: {
        ...paying,
        CLIENT: [...paying.CLIENT, 'GetItem'],
        PAYMENT: ['BatchGetItem', 'PutItem'],
        GATEWAY: ['BatchGetItem', 'PutItem'],
      },
      uses: ['timers', 'deploymentKey'],
    },
  },
  'stripe-webhook': {
    method: 'POST',
    path: '/webhooks/stripe/{applicationId}',
    summary: 'What Stripe reports: payments, and payments taken back.',
    description:
      'To be set as webhook endpoint in Stripe. A report may come twice and in any order: it counts once. A payment that can buy nothing is kept on the timeline as `unapplied`.',
    auth: 'none',
    params: WebhookPath,
    headers: StripeHeaders,
    body: RawBody,
    bodyType: 'raw',
    maxBodyBytes: 512 * 1024,
    response: Received,
    errors: { invalid: 'webhook_refused', failed: 'server_error' },
    grants: {
      table: {
        ...paying,
        PAYMENT: ['BatchGetItem', 'PutItem'],
        GATEWAY: ['BatchGetItem', 'PutItem'],
      },
      uses: ['timers', 'stripe'],
    },
  },
  'plan-create': {
    method: 'POST',
    path: '/api/operator/applications/{id}/plans',
    summary: 'Makes a plan that an application sells.',
    auth: 'operator',
    params: PlansPath,
    body: NewPlan,
    response: OnePlan,
    status: 201,
    errors: { invalid: 'invalid_request', failed: 'server_error', also: ['invalid_token', 'not_found'] },
    grants: { table: { APP: ['ConditionCheckItem'], PLAN: ['PutItem'] } },
  },
  'plan-update': {
    method: 'PUT',
    path: '/api/operator/applications/{id}/plans/{planId}',
    summary: 'Changes a plan; what is left out stays as it is.',
    description: 'Running subscriptions keep their terms until the next one begins.',
    auth: 'operator',
    params: PlanPath,
    body: PlanChange,
    response: OnePlan,
    errors: {
      invalid: 'invalid_request',
      failed: 'server_error',
      also: ['invalid_token', 'not_found', 'conflict'],
    },
    grants: { table: { PLAN: ['GetItem', 'UpdateItem'] } },
  },
});
