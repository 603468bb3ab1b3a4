import { defineRoute } from '../../shared/contract/route.ts';
import { Pause } from '../api/requests.ts';
import { changeRoute } from './change-route.ts';

export const route = defineRoute({
  path: '/api/v1/subscriptions/{id}/pause',
  alsoAt: '/subscriptions/{id}/pause',
  summary: 'Pauses an active subscription and keeps the remainder of its term.',
  description: [
    'While a subscription is paused, the client is not entitled.',
    'No invoices are issued. A payment of an open one extends the term that is kept.',
  ].join(' '),
  ...changeRoute,
  body: Pause,
});
