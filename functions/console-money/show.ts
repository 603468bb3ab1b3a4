import { type Answer, show, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import { paymentPage } from '../ledger/payment-page.ts';
import { prepared } from '../reports/prepare.ts';
import { newReceivablesRun, receivablesReport } from '../reports/receivables.ts';
import { newRecurringRun, recurringReport } from '../reports/revenue-parts.ts';
import { type Application, foundApplication } from '../shared/accounts/applications.ts';
import * as keys from '../shared/contract/keys.ts';
import { type Input, Reply } from '../shared/contract/route.ts';
import { isoMonth } from '../shared/runtime/time-zone.ts';
import { withCandidates } from '../statements/import/waiting.ts';
import { journalFile, receivablesFile } from './files.ts';
import { type MoneyFigures, moneyPage } from './pages/money-page.ts';
import { showRoute } from './routes.ts';

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
