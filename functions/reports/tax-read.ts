import type { JournalRecord } from '../ledger/journal-record.ts';
import { foundApplication } from '../shared/accounts/applications.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import * as keys from '../shared/contract/keys.ts';
import { jsonReply, preferredType } from '../shared/lambda/content-negotiation.ts';
import { endpoint, type Handler, Reply } from '../shared/lambda/endpoint.ts';
import { csvType, toCsv } from '../shared/lists/csv.ts';
import { clock, isoTime } from '../shared/runtime/clock.ts';
import { part, type ReportKind } from './count.ts';
import { periodUntil, prepared } from './prepare.ts';
import type { ReportPeriod, ReportRun } from './report-run.ts';
import { taxReadRoute } from './routes.ts';
import { addEntry, type TaxFigures } from './tax.ts';
import { TaxResponse, taxColumns, toTaxResponse } from './tax-schemas.ts';

const taxReport: ReportKind<TaxFigures, TaxFigures> = {
  parts: {
    journal: part('journal', ['booked'], (rows: TaxFigures, { entries }: JournalRecord) => {
      for (const entry of entries) addEntry(rows, entry);
    }),
  },
  counterOf: ({ figures }) => figures,
};

function newTaxRun(applicationId: string, period: ReportPeriod, asOfMs: number): ReportRun<TaxFigures> {
  const places = { from: isoTime(period.fromMs), to: isoTime(period.toMs) };
  return { applicationId, period, asOfMs, unread: { journal: places }, records: 0, figures: {} };
}

/** Reports the tax of a period, of the journal in the index alone. */
export const reportTax: Handler<typeof taxReadRoute, Reply> = async ({
  headers,
  query,
  caller: { applicationId },
  rateLimitPassed,
}) => {
  const nowMs = clock.nowMs();
  const application = await foundApplication(applicationId);
  const { timeZone = 'UTC' } = application.settings;
  const { period, toMs } = periodUntil(nowMs, query, timeZone);
  const key = keys.taxReport(applicationId, period.fromMs, toMs);
  const begin = () => newTaxRun(applicationId, period, nowMs);
  const run = await prepared({ ...taxReport, key, nowMs, begin }, rateLimitPassed);
  if (run instanceof Reply) return run;
  const body = toTaxResponse(run, timeZone);
  if (preferredType(headers.accept, ['application/json', 'text/csv']) === 'application/json')
    return jsonReply(TaxResponse, body);
  const csv = toCsv(taxColumns, body.report.rows);
  return new Reply(200, { headers: { 'content-type': csvType, vary: 'accept' }, body: csv });
};

export const handler = endpoint(taxReadRoute, reportTax, sellerCaller);
