import * as z from 'zod/mini';
import {
  ApplicationPath,
  actionRoute,
  choice,
  count,
  csvDownload,
  definePage,
  field,
  formBody,
  hidden,
  listQuery,
  periodQuery,
  reasonBody,
  recordErrors,
  sessionTable,
} from '../console/contracts/console-route.ts';
import { storedReports } from '../reports/report-route.ts';
import { multipart } from '../shared/contract/form-route.ts';
import { page, pageHeaders } from '../shared/contract/headers.ts';
import { defineRoute, type Routes } from '../shared/contract/route.ts';
import { cursorField } from '../shared/fields/page.ts';
import { indexes } from '../shared/lists/requests.ts';
import { amountKinds } from '../statements/import/file/amount.ts';
import { dateFormats } from '../statements/import/file/dates.ts';
import { matchKinds, statementFormats } from '../statements/import/statement.ts';
import { confirmRoute, createRoute } from '../statements/routes.ts';

export const applicationPath = '/console/money/{applicationId}';
const statementsPath = '/console/money/{applicationId}/statements';
export const statementPath = '/console/money/{applicationId}/statements/{statementId}';

const ConsoleStatementPath = z.extend(ApplicationPath, {
  statementId: hidden('The id of the statement.'),
});

export const homeRoute = definePage(
  {
    operationId: 'showConsoleMoneyApplicationsPage',
    path: '/console/money',
    summary: 'Shows the applications.',
    description: 'For browsers. For operator keys with the scope `finance`.',
    otherResponses: [page(400, 'A filter is not valid.')],
    grants: { table: { APP: ['BatchGetItem'] }, indexes: { listed: ['DIRECTORY'] } },
  },
  { ...listQuery, ...periodQuery },
);

export const showRoute = definePage(
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

export const statementListRoute = definePage(
  {
    operationId: 'showConsoleStatementsPage',
    path: statementsPath,
    summary: 'Shows the bank statements of an application, and a form for another one.',
    description: 'For browsers. For operator keys with the scope `finance`.',
    params: ApplicationPath,
    errors: recordErrors,
    otherResponses: [page(400, 'A filter is not valid.')],
    grants: { table: { APP: ['GetItem'], BANKSTATEMENT: ['BatchGetItem'] }, indexes },
  },
  { ...listQuery, ...periodQuery },
);

/** As Base64 it fits into the 6 MB that Lambda takes. The page says of a file up to here that it is too large. */
const maxFormBytes = 4 * 1024 * 1024;

const UploadForm = z.object({
  ...formBody,
  format: z.enum(statementFormats),
  file: z.file().check(z.meta({ description: 'The file, as the bank gave it, or packed with gzip.' })),
  date: field('Of a CSV file: the column of the value date.', 100),
  amount: field('The column of the amount.', 100),
  currencyColumn: field('The column of the currency.', 100),
  reference: field('The columns of what the payer wrote, separated by semicolons.', 500),
  name: field('The column of the name of the payer.', 100),
  iban: field('The column of the account of the payer.', 100),
  id: field("The column of the bank's id of the entry.", 100),
  direction: field('The column of debit and credit.', 100),
  creditValues: field('Its values that are credits, separated by semicolons.', 500),
  amounts: choice('Whether withdrawals have a sign, or all amounts are credits.', amountKinds),
  currency: field('The currency where there is no column.', 3),
  account: field('The account that the file is of.', 50),
  dateFormat: choice('How dates are written.', dateFormats),
  decimalSeparator: choice('The decimal separator.', ['.', ',']),
});

export type UploadForm = z.output<typeof UploadForm>;

export const statementUploadRoute = defineRoute({
  ...actionRoute,
  path: statementsPath,
  operationId: 'submitConsoleStatementsPage',
  summary: 'Receives a bank statement and makes its dry run.',
  description:
    'For browsers: the form of the page. Does what `POST /api/v1/bank-statements` does. Nothing is recorded as a payment.',
  bodyType: multipart,
  params: ApplicationPath,
  body: UploadForm,
  maxBodyBytes: maxFormBytes,
  throttle: createRoute.throttle,
  otherResponses: [
    ...actionRoute.otherResponses,
    page(409, 'Another file of the application is being read.'),
    page(422, 'The file cannot be read. The page says why.'),
  ],
  errors: { ...actionRoute.errors, also: ['not_found'] },
  grants: {
    table: { ...createRoute.grants.table, ...sessionTable, APP: ['GetItem'], AUDIT: ['PutItem'] },
    indexes: createRoute.grants.indexes,
    files: ['console.js'],
  },
});

export const statementShowRoute = definePage(
  {
    path: statementPath,
    summary:
      'Shows a bank statement: its entries with a decision about each, and the progress of its import.',
    description: 'For browsers. For operator keys with the scope `finance`.',
    params: ConsoleStatementPath,
    responseHeaders: [...pageHeaders, 'refresh'],
    errors: recordErrors,
    grants: {
      table: {
        APP: ['GetItem'],
        BANKSTATEMENT: ['GetItem', 'BatchGetItem'],
        SUBSCRIPTION: ['BatchGetItem'],
        INVOICE: ['BatchGetItem'],
      },
    },
  },
  {
    ...listQuery,
    match: choice('Only entries with this match.', matchKinds),
    view: choice('The question before the confirmation.', ['confirm']),
  },
);

const version = count(
  'The number of changes of the decisions that the page showed. With another one, nothing is changed.',
);

const StatementForm = z.discriminatedUnion('action', [
  z.catchall(
    z.object({
      action: z.enum(['keep', 'review']),
      ...formBody,
      version,
      match: choice('The match of the entries that are shown next.', matchKinds),
      next: field('The place of the next page of entries.', 1_024),
    }),
    field('`choice-3`: the choice about the entry 3. `other-3`: the id of another record for it.'),
  ),
  z.object({ action: z.literal('confirm'), ...reasonBody, version }),
]);

export type StatementForm = z.output<typeof StatementForm>;

export const statementActionRoute = defineRoute({
  ...actionRoute,
  bodyType: multipart,
  path: statementPath,
  operationId: 'submitConsoleStatementPage',
  summary: 'Saves decisions about the entries of a bank statement, or confirms it.',
  description:
    'For browsers. `confirm` does what `POST /api/v1/bank-statements/{id}/confirm` does, with the saved decisions. The audit record is written in the same transaction.',
  params: ConsoleStatementPath,
  body: StatementForm,
  otherResponses: [
    ...actionRoute.otherResponses,
    page(409, 'The decisions have changed since the page was shown, or the statement was confirmed.'),
    page(422, 'A decision is not possible. The page says what is wrong.'),
  ],
  errors: { ...actionRoute.errors, also: ['not_found'] },
  grants: {
    table: { ...confirmRoute.grants.table, ...sessionTable, AUDIT: ['PutItem'] },
    uses: confirmRoute.grants.uses,
    files: ['console.js'],
  },
});

export const routes = {
  home: homeRoute,
  show: showRoute,
  'statement-list': statementListRoute,
  'statement-upload': statementUploadRoute,
  'statement-show': statementShowRoute,
  'statement-action': statementActionRoute,
} satisfies Routes;
