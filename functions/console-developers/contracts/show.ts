import { ApplicationPath, definePage, recordErrors } from '../../console/contracts/console-route.ts';
import { applicationPath } from './paths.ts';

export const route = definePage(
  {
    operationId: 'showConsoleApplicationPage',
    path: applicationPath,
    summary:
      'Shows an application: its keys with their last use, its plans, its settings, its webhooks and its requests.',
    description:
      'For browsers. For operator keys with the scope `support`. The page has the forms of the actions for keys with the scope `admin`.',
    params: ApplicationPath,
    errors: recordErrors,
    grants: {
      table: {
        APP: ['GetItem'],
        RATE: ['GetItem'],
        PLAN: ['Query'],
        WEBHOOK: ['Query'],
        DELIVERY: ['Query'],
      },
      uses: ['applicationRate'],
    },
  },
  {},
);
