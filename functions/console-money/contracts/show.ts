import {
  ApplicationPath,
  choice,
  csvDownload,
  definePage,
  field,
  recordErrors,
} from '../../console/contracts/console-route.ts';
import { storedReports } from '../../reports/report-route.ts';
import { page } from '../../shared/contract/other-responses.ts';
import { cursorField } from '../../shared/fields/page.ts';
import { indexes } from '../../shared/lists/list-route.ts';
import { applicationPath } from './paths.ts';

export const route = definePage(
  {
    path: applicationPath,
    summary:
      'Shows the unapplied payments of an application, what its clients owe, and its recurring revenue.',
    description:
      'For browsers. For operator keys with the scope `finance`. A report over hundreds of thousands of records takes several requests: the page says so.',
    params: ApplicationPath,
    errors: recordErrors,
    otherResponses: [page(400, 'The period is not valid, or the file has too many records.'), csvDownload],
    grants: {
      table: {
        ...storedReports,
        APP: ['GetItem'],
        PAYMENT: ['BatchGetItem'],
        CLIENT: ['BatchGetItem'],
        SUBSCRIPTION: ['BatchGetItem'],
        INVOICE: ['BatchGetItem'],
      },
      indexes,
    },
  },
  {
    cursor: cursorField,
    file: choice('The records as a file.', ['journal', 'receivables']),
    from: field('The first day or time of the journal.'),
    to: field('The last day of the journal, which is included; or a time, which is not.'),
  },
);
