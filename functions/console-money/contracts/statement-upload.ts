import * as z from 'zod/mini';
import {
  ApplicationPath,
  actionRoute,
  choice,
  field,
  formBody,
  sessionTable,
} from '../../console/contracts/console-route.ts';
import { multipart } from '../../shared/contract/form-route.ts';
import { page } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { route as create } from '../../statements/contracts/create.ts';
import { amountKinds } from '../../statements/import/file/amount.ts';
import { dateFormats } from '../../statements/import/file/dates.ts';
import { statementFormats } from '../../statements/import/statement.ts';
import { statementsPath } from './paths.ts';

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

export const route = defineRoute({
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
  throttle: create.throttle,
  otherResponses: [
    ...actionRoute.otherResponses,
    page(409, 'Another file of the application is being read.'),
    page(422, 'The file cannot be read. The page says why.'),
  ],
  errors: { ...actionRoute.errors, also: ['not_found'] },
  grants: {
    table: { ...create.grants.table, ...sessionTable, APP: ['GetItem'], AUDIT: ['PutItem'] },
    indexes: create.grants.indexes,
    files: ['console.js'],
  },
});
