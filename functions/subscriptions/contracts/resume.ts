import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { changeFields, changeRoute } from './change-route.ts';

export const route = defineRoute({
  path: '/api/v1/subscriptions/{id}/resume',
  alsoAt: '/subscriptions/{id}/resume',
  words: { title: 'Resume', notice: 'The subscription is active again.' },
  summary: 'Resumes a paused subscription and extends its term by the duration of the pause.',
  ...changeRoute,
  body: z.object(changeFields),
});
