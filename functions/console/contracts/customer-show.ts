import { cursorField } from '../../shared/fields/page.ts';
import { CustomerPath, customerPath, definePage, recordErrors } from './console-route.ts';

export const route = definePage(
  {
    path: customerPath,
    summary: 'Shows a subscription: why it gives access or none, its records, and what operators can do.',
    description:
      'For browsers. The page has the client, the timeline, the invoices, the payments and, with the scope `support`, the mails and the events of the latest changes. The timeline names the operators who made a change.',
    params: CustomerPath,
    errors: recordErrors,
    grants: {
      table: {
        SUBSCRIPTION: ['GetItem', 'Query'],
        CLIENT: ['GetItem', 'BatchGetItem'],
        APP: ['GetItem'],
        AUDIT: ['Query'],
        PAYMENT: ['GetItem'],
        EVENT: ['BatchGetItem'],
      },
      indexes: { listed: ['EVENT'] },
    },
  },
  { cursor: cursorField },
);
