import * as z from 'zod/mini';
import { largestAccount, orRefused } from '../console/pages/lists.ts';
import { type Answer, csvFile, show, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import { postingColumns, postingRows } from '../journal/columns.ts';
import { journalOf } from '../journal/journal-of.ts';
import { toRecordResponse } from '../journal/schemas.ts';
import { paymentPage } from '../ledger/payment-page.ts';
import { prepared } from '../reports/prepare.ts';
import { newReceivablesRun, receivablesReport } from '../reports/receivables.ts';
import { receivablesPage } from '../reports/receivables-list.ts';
import { receivableColumns } from '../reports/receivables-schemas.ts';
import { newRecurringRun, recurringReport } from '../reports/revenue-parts.ts';
import { type Application, foundApplication } from '../shared/accounts/applications.ts';
import * as keys from '../shared/contract/keys.ts';
import { type Input, Reply } from '../shared/contract/route.ts';
import { toCsv } from '../shared/lists/csv.ts';
import { indexedPage } from '../shared/lists/indexed-list.ts';
import { type ReadPage, recordsOfFile } from '../shared/lists/records-of-file.ts';
import { periodFields } from '../shared/lists/requests.ts';
import { isoMonth } from '../shared/runtime/time-zone.ts';
import { withCandidates } from '../statements/import/waiting.ts';
import { fileRefusal, type MoneyFigures, moneyPage } from './pages/money-page.ts';
import { showRoute } from './routes.ts';

const Period = z.object(periodFields('the time of booking'));

/** The postings of a period, newest first. */
export async function journalFile(
  application: Application,
  query: { from?: string | undefined; to?: string | undefined },
): Promise<Answer> {
  const refused = () => fileRefusal('Enter valid dates. The first date must not be after the last one.');
  const period = Period.safeParse(query);
  if (!period.success) return refused();
  const list = journalOf(application, (record) => postingRows(toRecordResponse(record)));
  const file = () =>
    wholeFile(
      'journal.csv',
      (page) => indexedPage(list, Object.assign({}, period.data, page)),
      (rows) => toCsv(postingColumns, rows.flat()),
    );
  return orRefused(file, refused);
}

/** The invoices of which something is outstanding now. */
export function receivablesFile(applicationId: string, nowMs: number): Promise<Answer> {
  return wholeFile(
    'receivables.csv',
    (page) => receivablesPage(applicationId, { atMs: undefined, nowMs }, page),
    (rows) => toCsv(receivableColumns, rows),
  );
}

/** A file of all records. One in which some are missing would be booked as if it were whole: there is none then. */
export async function wholeFile<R>(
  name: string,
  read: ReadPage<R>,
  write: (records: readonly R[]) => string,
): Promise<Answer> {
  const { records, isWhole } = await recordsOfFile(read, { most: largestAccount });
  if (isWhole) return csvFile(name, write(records));
  return fileRefusal('The file would have too many records. Set a shorter period, or use the API.');
}

const shownPayments = 10;
const shownMonths = 12;

/**
 * Shows the money of an application, or a file of it.
 *
 * @param pageEntries of reports.
 */
export async function showMoney(
  { params: { applicationId }, query }: Input<typeof showRoute>,
  visit: Visit,
  pageEntries?: number,
): Promise<Answer> {
  const application = await foundApplication(applicationId);
  if (query.file === 'journal') return journalFile(application, query);
  if (query.file === 'receivables') return receivablesFile(applicationId, visit.nowMs);
  const [waiting, receivables, recurring] = await Promise.all([
    waitingPayments(applicationId, query.cursor),
    receivablesOf(applicationId, visit.nowMs, pageEntries),
    recurringOf(application, visit.nowMs, pageEntries),
  ]);
  return show(
    application.name || applicationId,
    moneyPage(visit, { application, waiting, receivables, recurring }),
  );
}

async function waitingPayments(
  applicationId: string,
  cursor: string | undefined,
): Promise<MoneyFigures['waiting']> {
  const query = { unapplied: 'true', limit: shownPayments, cursor } as const;
  const { items, nextCursor } = await paymentPage(applicationId, query, (payment) => payment);
  return { payments: await withCandidates(applicationId, items), nextCursor };
}

async function receivablesOf(applicationId: string, nowMs: number, pageEntries?: number) {
  const key = keys.receivablesReport(applicationId, undefined);
  const begin = () => newReceivablesRun(applicationId, undefined, nowMs);
  const run = await prepared({ ...receivablesReport, key, nowMs, begin }, unlimited, pageEntries);
  return run instanceof Reply ? 'preparing' : run.figures;
}

async function recurringOf({ applicationId, settings }: Application, nowMs: number, pageEntries?: number) {
  const { timeZone } = settings;
  const key = keys.recurringReport(applicationId, isoMonth(nowMs, timeZone));
  const begin = () => newRecurringRun(applicationId, shownMonths, nowMs, timeZone);
  const run = await prepared({ ...recurringReport, key, nowMs, begin }, unlimited, pageEntries);
  return run instanceof Reply ? 'preparing' : run.figures;
}

/** Operators have no limit of requests. */
const unlimited = Promise.resolve();

export const handler = consoleEndpoint(showRoute, 'finance', (input, visit) => showMoney(input, visit));
