import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { described } from '../../shared/fields/described.ts';
import { changeFields, changeRoute } from './change-route.ts';

const Pause = z.object({
  ...changeFields,
  resumesAt: z.optional(
    z.iso
      .datetime({ offset: true })
      .check(described('When the subscription resumes, up to a year ahead. Default: when you resume it.')),
  ),
});

export const route = defineRoute({
  path: '/api/v1/subscriptions/{id}/pause',
  alsoAt: '/subscriptions/{id}/pause',
  words: { title: 'Pause', notice: 'The subscription is paused.' },
  summary: 'Pauses an active subscription and keeps the remainder of its term.',
  description: [
    'While a subscription is paused, the client is not entitled.',
    'No invoices are issued. A payment of an open one extends the term that is kept.',
  ].join(' '),
  ...changeRoute,
  body: Pause,
});
