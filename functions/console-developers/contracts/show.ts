import * as z from 'zod/mini';
import {
  ApplicationPath,
  noticeQuery,
  pageRoute,
  sessionTable,
} from '../../console/contracts/console-route.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { applicationPath } from './paths.ts';

export const route = defineRoute({
  ...pageRoute,
  path: applicationPath,
  operationId: 'showConsoleApplicationPage',
  summary: 'Shows an application: its keys with their last use, its settings, its webhooks and its requests.',
  description:
    'For browsers. For operator keys with the scope `support`. The page has the forms of the actions for keys with the scope `admin`.',
  params: ApplicationPath,
  query: z.object(noticeQuery),
  errors: { ...pageRoute.errors, also: ['not_found'] },
  grants: {
    table: {
      ...sessionTable,
      APP: ['GetItem'],
      RATE: ['GetItem'],
      WEBHOOK: ['Query'],
      DELIVERY: ['Query'],
    },
    uses: ['applicationRate'],
  },
});
