import * as z from 'zod/mini';
import { OneCreditNote } from '../../invoices/schemas.ts';
import { commonErrors, defineRoute, idempotencyErrors, sellerRoute } from '../../shared/contract/route.ts';
import { described } from '../../shared/fields/described.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import { IdPath } from '../../shared/fields/path-id.ts';
import { seenRevision } from '../../shared/fields/revision.ts';
import { lineField } from '../../shared/fields/text.ts';
import * as grants from '../grants.ts';
import { ChangedSubscription } from '../schemas.ts';

/** Of the body of each change: what the caller saw, and why. */
const changeFields = {
  revision: seenRevision,
  reason: z.optional(
    lineField(500).check(
      described(
        'Why. The audit record of an operator has it, and the timeline of a cancellation. The subscriber does not see it.',
      ),
    ),
  ),
};

export const anyChangeRoute = {
  method: 'POST',
  params: IdPath,
  response: ChangedSubscription,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition'] },
  grants: grants.change,
} as const;

/** Common to the changes that a seller asks for, with a body. */
const sellerChangeRoute = {
  ...sellerRoute,
  ...anyChangeRoute,
  headers: IdempotencyHeaders,
  errors: { ...commonErrors, also: [...anyChangeRoute.errors.also, ...idempotencyErrors] },
  grants: { ...grants.change, table: { ...grants.change.table, IDEMPOTENCY: ['GetItem', 'PutItem'] } },
} as const;

/** The same, where the body may be left out. */
const optionalBodyRoute = { ...sellerChangeRoute, bodyOptional: true } as const;

const at = (description: string) =>
  z.optional(z.iso.datetime({ offset: true }).check(described(description)));

const changes = {
  trialEnd: at('The new end of the trial: later than the present one, by up to 366 days.'),
  endDate: at('The new end of the paid term: later than the present one, by up to 366 days.'),
  autoRenew: z.optional(
    z.boolean().check(described('Whether the subscription renews at the end of each term.')),
  ),
};

const SubscriptionChange = z
  .object({
    ...changes,
    revision: changeFields.revision,
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

export const updateRoute = defineRoute({
  ...sellerChangeRoute,
  path: '/api/v1/subscriptions/{id}',
  alsoAt: '/subscriptions/{id}',
  words: { title: 'Change the end or the renewal', notice: 'The subscription is changed.' },
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
  method: 'PATCH',
  body: SubscriptionChange,
});

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

export const cancelRoute = defineRoute({
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
  ...optionalBodyRoute,
  body: Cancellation,
});

export const uncancelRoute = defineRoute({
  path: '/api/v1/subscriptions/{id}/uncancel',
  alsoAt: '/subscriptions/{id}/uncancel',
  words: { title: 'Undo the cancellation', notice: 'The cancellation is undone.' },
  summary: 'Undoes a cancellation that is scheduled for the end of the period.',
  description: 'Possible until the end of the trial or the paid term.',
  ...optionalBodyRoute,
  body: z.object(changeFields),
});

const Pause = z.object({
  ...changeFields,
  resumesAt: z.optional(
    z.iso
      .datetime({ offset: true })
      .check(described('When the subscription resumes, up to a year ahead. Default: when you resume it.')),
  ),
});

export const pauseRoute = defineRoute({
  path: '/api/v1/subscriptions/{id}/pause',
  alsoAt: '/subscriptions/{id}/pause',
  words: { title: 'Pause', notice: 'The subscription is paused.' },
  summary: 'Pauses an active subscription and keeps the remainder of its term.',
  description: [
    'While a subscription is paused, the client is not entitled.',
    'No invoices are issued. A payment of an open one extends the term that is kept.',
  ].join(' '),
  ...optionalBodyRoute,
  body: Pause,
});

export const resumeRoute = defineRoute({
  path: '/api/v1/subscriptions/{id}/resume',
  alsoAt: '/subscriptions/{id}/resume',
  words: { title: 'Resume', notice: 'The subscription is active again.' },
  summary: 'Resumes a paused subscription and extends its term by the duration of the pause.',
  ...optionalBodyRoute,
  body: z.object(changeFields),
});

const Crediting = z.object({
  revision: changeFields.revision,
  amount: z.optional(
    z
      .number()
      .check(
        z.gt(0),
        described(
          'The amount to credit, tax included, a decimal amount. Default: all that no credit note has credited yet.',
          2.5,
        ),
      ),
  ),
  reason: lineField(500).check(
    described(
      'Why, in your words. The timeline, the credit note and its mail show it.',
      'The address was wrong.',
    ),
  ),
});

export const creditInvoiceRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/invoices/{id}/credit-notes',
  words: {
    title: 'Credit an invoice',
    question: 'This issues a credit note, which cannot be taken back. Issue it?',
    notice: 'The credit note is issued.',
  },
  operationId: 'creditInvoice',
  summary: 'Issues a credit note for an invoice, in whole or in part.',
  description: `\
The request moves no money. An open invoice owes less, and is paid when nothing is due of it any more. What a paid invoice has
received beyond the rest becomes credit of the client, which the next invoice uses. The client gets a mail with the credit note.

A credit note does not buy a term. An open invoice of a term that has not begun is void when all of it is credited, and what it had
received is credit: a pending subscription is cancelled then, and any other one gets a new invoice, with the present settings and
address. Less than all, but as much as is due, is refused for the first invoice of a subscription that was paid in part.

An amount above what is left is refused with \`rest\` in \`details\`. A void invoice, and one of which nothing is left, is
an \`invalid_transition\`.

With an \`Idempotency-Key\`, a repeated request within 24 hours returns the response to the first one.`,
  ...sellerRoute,
  params: IdPath,
  headers: IdempotencyHeaders,
  body: Crediting,
  response: OneCreditNote,
  status: 201,
  errors: {
    ...commonErrors,
    also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition', ...idempotencyErrors],
  },
  grants: {
    ...grants.change,
    table: {
      ...grants.change.table,
      INVOICE: ['GetItem', 'PutItem'],
      IDEMPOTENCY: ['GetItem', 'PutItem'],
    },
  },
});
