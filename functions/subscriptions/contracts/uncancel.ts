import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { changeFields, changeRoute } from './change-route.ts';

export const route = defineRoute({
  path: '/api/v1/subscriptions/{id}/uncancel',
  alsoAt: '/subscriptions/{id}/uncancel',
  words: { title: 'Undo the cancellation', notice: 'The cancellation is undone.' },
  summary: 'Undoes a cancellation that is scheduled for the end of the period.',
  description: 'Possible until the end of the trial or the paid term.',
  ...changeRoute,
  body: z.object(changeFields),
});
