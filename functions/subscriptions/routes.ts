import * as z from 'zod/mini';
import { defineRoutes } from '../shared/contract/route.ts';
import { billingRoutes } from './api/billing-routes.ts';
import * as grants from './api/grants.ts';
import { AcceptHeaders, SubscriptionPath } from './api/page-requests.ts';
import { paymentRoutes } from './api/payment-routes.ts';
import { planChangeRoutes } from './api/plan-change-routes.ts';
import {
  Cancellation,
  CurrentQuery,
  clientMaxBytes,
  IdempotencyHeaders,
  NewClient,
  NewSubscription,
  Pause,
  Payment,
  PlansQuery,
  ReadQuery,
  SubscriptionChange,
} from './api/requests.ts';
import {
  ChangedSubscription,
  CreatedSubscription,
  CurrentSubscription,
  OneClient,
  OneCreditNote,
  OneInvoice,
  OneSubscription,
  PlanList,
  SubscriptionList,
} from './api/responses.ts';
import { csvResponse, pagesDescription } from './lists/contract.ts';
import { ListHeaders } from './lists/requests.ts';
import { SubscriptionListQuery } from './lists/subscription-list.ts';
import { CreatedPlan, NewPlan, OnePlan, PlanChange, PlanPath, PlansPath } from './plans/plan.ts';

/** Common to all endpoints for applications. */
const applicationRoute = { auth: 'apiKey', concurrentRateLimit: true } as const;
const commonErrors = { invalid: 'invalid_request', limited: 'rate_limited', failed: 'server_error' } as const;
const operatorErrors = { invalid: 'invalid_request', failed: 'server_error' } as const;
const idempotencyErrors = ['idempotency_mismatch', 'idempotency_in_progress'] as const;

/** Common to all changes of a subscription. */
const changeRoute = {
  ...applicationRoute,
  method: 'POST',
  params: SubscriptionPath,
  bodyOptional: true,
  response: ChangedSubscription,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition'] },
  grants: grants.change,
} as const;

/** An invoice or a credit note for people. */
const documentResponses = [
  {
    status: 200,
    description: 'The document in the media type that `Accept` prefers.',
    mediaType: 'text/html',
    headers: ['vary', 'content-disposition', 'content-security-policy', 'x-frame-options', 'referrer-policy'],
  },
  {
    status: 200,
    description: 'Bytes are returned only if `application/pdf` is the first media type of `Accept`.',
    mediaType: 'application/pdf',
    headers: ['vary', 'content-disposition'],
  },
] as const;

export const routes = defineRoutes({
  'plan-list': {
    method: 'GET',
    path: '/api/v1/plans',
    alsoAt: '/plans',
    summary: 'Lists the plans of the application.',
    description: [
      'Plans are sorted by creation date, oldest first.',
      'Plans with `isActive: false` can no longer be subscribed to.',
      'They are listed because existing subscriptions may still use them.',
    ].join(' '),
    ...applicationRoute,
    query: PlansQuery,
    response: PlanList,
    errors: { ...commonErrors, also: ['invalid_token'] },
    grants: { table: { PLAN: ['Query'] } },
  },
  'client-upsert': {
    method: 'POST',
    path: '/api/v1/clients',
    alsoAt: '/clients',
    summary: 'Registers a client, or updates one.',
    description: [
      'Returns 201 when the client is new and 200 when it was updated.',
      'Omitted fields keep their values.',
    ].join(' '),
    ...applicationRoute,
    headers: IdempotencyHeaders,
    body: NewClient,
    maxBodyBytes: clientMaxBytes,
    response: OneClient,
    status: 201,
    otherResponses: [{ status: 200, description: 'The client existed, and was updated.', headers: [] }],
    errors: { ...commonErrors, also: ['invalid_token', 'conflict', ...idempotencyErrors] },
    grants: { table: { CLIENT: ['GetItem', 'UpdateItem'], IDEMPOTENCY: ['GetItem', 'PutItem'] } },
  },
  create: {
    method: 'POST',
    path: '/api/v1/subscriptions',
    alsoAt: '/subscriptions',
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
    ...applicationRoute,
    headers: IdempotencyHeaders,
    body: NewSubscription,
    response: CreatedSubscription,
    status: 201,
    errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict', ...idempotencyErrors] },
    grants: { table: grants.creationTable, uses: ['timers', 'deploymentKey', 'sandboxGateway'] },
  },
  current: {
    method: 'GET',
    path: '/api/v1/subscriptions/current',
    alsoAt: '/subscriptions/current',
    summary: "Retrieves a client's running subscription, or the newest one, with its entitlement.",
    description: [
      'Grant access when `entitled` is true.',
      'It is computed from the dates at the time of the request; `status` can lag behind by a moment.',
    ].join(' '),
    ...applicationRoute,
    query: CurrentQuery,
    response: CurrentSubscription,
    errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
    grants: { table: { CLIENT: ['GetItem'] }, indexes: { byStatus: ['CLIENT'] } },
  },
  list: {
    method: 'GET',
    path: '/api/v1/subscriptions',
    alsoAt: '/subscriptions',
    summary:
      'Lists the subscriptions of the application or of a client, or finds one by its reference number.',
    description: `\
Subscriptions are sorted by creation date, newest first: all of the application, those of the client in \`externalId\`, or
the one with \`referenceNumber\`. These two go with no other filter. A mistyped reference number is rejected as
\`invalid_request\`: its last character is a check character.

A subscription is shown as its own endpoint shows it. \`status\` is the one that is recorded, also while a timer is late.
\`access\` and \`entitled\` are computed from the dates and the client's credit.

${pagesDescription}`,
    ...applicationRoute,
    auth: 'seller',
    operatorScope: 'finance',
    headers: ListHeaders,
    query: SubscriptionListQuery,
    response: SubscriptionList,
    responseHeaders: ['vary'],
    otherResponses: [csvResponse],
    errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
    grants: {
      table: { CLIENT: ['GetItem', 'BatchGetItem', 'Query'], REFERENCE: ['GetItem'] },
      indexes: { listed: ['LIST'] },
    },
  },
  read: {
    method: 'GET',
    path: '/api/v1/subscriptions/{id}',
    alsoAt: '/subscriptions/{id}',
    summary: 'Retrieves a subscription with its invoices and its timeline.',
    description: [
      'Invoices and timeline are paged backwards: the first page contains the latest 500 invoices and the latest 2,000',
      'entries, or as many as fit in 3 and 2 MB. While there are earlier ones, the response has a `nextCursor`.',
      'On the pages after the end of one list, that list is empty.',
    ].join('\n'),
    ...applicationRoute,
    params: SubscriptionPath,
    query: ReadQuery,
    response: OneSubscription,
    errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
    grants: { table: { CLIENT: ['GetItem'], SUBSCRIPTION: ['GetItem', 'Query'] } },
  },
  cancel: {
    path: '/api/v1/subscriptions/{id}',
    alsoAt: '/subscriptions/{id}',
    summary: 'Cancels a subscription, immediately or at the end of the period.',
    description: [
      'By default the subscription ends immediately, even if the term is paid.',
      'Its open invoices become void, and the cancellation is final.',
      'With `atPeriodEnd`, the subscription ends with the trial or the paid term.',
      'Until then, `uncancel` undoes the cancellation.',
      'An expired subscription becomes `cancelled`: its end and its invoices stay as they are, and no late payment makes it active again.',
      'Repeating the request returns 200 and changes nothing.',
    ].join(' '),
    ...changeRoute,
    body: Cancellation,
  },
  update: {
    ...applicationRoute,
    auth: 'seller',
    operatorScope: 'finance',
    method: 'PATCH',
    path: '/api/v1/subscriptions/{id}',
    alsoAt: '/subscriptions/{id}',
    summary: 'Extends a trial, grants days, or switches automatic renewal.',
    description: `\
The body has a \`reason\`, which the timeline keeps, and exactly one of these:

- \`trialEnd\`: a later end of the trial. The reminder and the invoice of the first term move with it.
- \`endDate\`: a later end of the paid term, at no charge. An open invoice of the next term moves with it. A subscription
  that is past due becomes active again, and is due at the new end; not if it owes a payment that was reversed.
- \`autoRenew\`: whether the subscription renews. With \`false\` it ends with its paid term, and an open invoice of a later
  term becomes void then. A subscription that is past due cannot be switched: cancel it.

The values are those that the subscription has afterwards, so that a repeated request changes nothing and returns 200. An
earlier end is an \`invalid_request\`. The subscriber gets a mail that confirms the change.`,
    params: SubscriptionPath,
    body: SubscriptionChange,
    response: ChangedSubscription,
    errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition'] },
    grants: { ...grants.change, table: { ...grants.change.table, AUDIT: ['PutItem'] } },
  },
  activate: {
    path: '/api/v1/subscriptions/{id}/activate',
    alsoAt: '/subscriptions/{id}/activate',
    summary: 'Records a payment that was made outside a gateway.',
    description: `\
Call it once the money has arrived, for example by bank transfer. With \`paymentId\` or an \`Idempotency-Key\`, a payment is
recorded once, whatever the amount.

The payment pays the invoice in \`invoiceId\`, then the oldest open invoices. A partial payment is kept for its invoice; what is left
becomes credit of the client, which the next invoice uses. During a trial, the paid term begins when the trial ends.

Without \`paymentId\` and \`amount\`, it pays all that is open. A repeat within 24 hours that finds only newer invoices pays
none of them and answers as the first request did. Without an open invoice it changes nothing. An expired subscription has
none: the request is refused with 409, and \`details.help\` names \`POST /payments\`, which records a late payment.`,
    ...changeRoute,
    headers: IdempotencyHeaders,
    body: Payment,
    errors: {
      ...commonErrors,
      also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition', ...idempotencyErrors],
    },
    grants: { ...grants.change, table: grants.activationTable },
  },
  pause: {
    path: '/api/v1/subscriptions/{id}/pause',
    alsoAt: '/subscriptions/{id}/pause',
    summary: 'Pauses an active subscription and keeps the remainder of its term.',
    description: [
      'While a subscription is paused, the client is not entitled.',
      'No invoices are issued. A payment of an open one extends the term that is kept.',
    ].join(' '),
    ...changeRoute,
    body: Pause,
  },
  resume: {
    path: '/api/v1/subscriptions/{id}/resume',
    alsoAt: '/subscriptions/{id}/resume',
    summary: 'Resumes a paused subscription and extends its term by the duration of the pause.',
    ...changeRoute,
    body: z.object({}),
  },
  uncancel: {
    path: '/api/v1/subscriptions/{id}/uncancel',
    alsoAt: '/subscriptions/{id}/uncancel',
    summary: 'Undoes a cancellation that is scheduled for the end of the period.',
    description: 'Possible until the end of the trial or the paid term.',
    ...changeRoute,
    body: z.object({}),
  },
  'invoice-read': {
    method: 'GET',
    path: '/api/v1/invoices/{id}',
    alsoAt: '/invoices/{id}',
    summary: 'Retrieves an invoice as JSON, HTML or PDF, depending on `Accept`.',
    description:
      'The media type is `application/json` by default. `Accept` can select `text/html` or `application/pdf`.',
    ...applicationRoute,
    params: SubscriptionPath,
    headers: AcceptHeaders,
    response: OneInvoice,
    responseHeaders: ['vary'],
    otherResponses: documentResponses,
    errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
    grants: { table: { INVOICE: ['GetItem'], SUBSCRIPTION: ['GetItem'] }, files: ['invoice-fonts.bin'] },
  },
  'credit-note-read': {
    method: 'GET',
    path: '/api/v1/credit-notes/{id}',
    alsoAt: '/credit-notes/{id}',
    summary: 'Retrieves a credit note as JSON, HTML or PDF, depending on `Accept`.',
    description:
      'The media type is `application/json` by default. `Accept` can select `text/html` or `application/pdf`.',
    ...applicationRoute,
    params: SubscriptionPath,
    headers: AcceptHeaders,
    response: OneCreditNote,
    responseHeaders: ['vary'],
    otherResponses: documentResponses,
    errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
    grants: {
      table: { INVOICE: ['GetItem'], SUBSCRIPTION: ['GetItem', 'Query'] },
      files: ['invoice-fonts.bin'],
    },
  },
  ...planChangeRoutes,
  ...paymentRoutes,
  ...billingRoutes,
  'plan-create': {
    method: 'POST',
    path: '/api/operator/applications/{id}/plans',
    summary: 'Creates a plan for an application.',
    auth: 'operator',
    operatorScope: 'admin',
    params: PlansPath,
    body: NewPlan,
    response: CreatedPlan,
    status: 201,
    errors: { ...operatorErrors, also: ['invalid_token', 'not_found'] },
    grants: { table: { APP: ['GetItem', 'ConditionCheckItem'], PLAN: ['PutItem'] } },
  },
  'plan-update': {
    method: 'PUT',
    path: '/api/operator/applications/{id}/plans/{planId}',
    summary: 'Updates a plan. Omitted fields keep their values.',
    description: 'Existing subscriptions keep the plan as sold until their next term.',
    auth: 'operator',
    operatorScope: 'admin',
    params: PlanPath,
    body: PlanChange,
    response: OnePlan,
    errors: { ...operatorErrors, also: ['invalid_token', 'not_found', 'conflict'] },
    grants: { table: { PLAN: ['GetItem', 'UpdateItem'] } },
  },
});
