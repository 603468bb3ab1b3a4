import * as z from 'zod/mini';
import { OneCreditNote } from '../../invoices/schemas.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, idempotencyErrors, sellerRoute } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import { IdPath } from '../../shared/fields/path-id.ts';
import { lineField } from '../../shared/fields/text.ts';
import * as grants from '../grants.ts';
import { changeFields } from './change-route.ts';

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

export const route = defineRoute({
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
