import { foundApplication } from '../shared/accounts/applications.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import * as keys from '../shared/contract/keys.ts';
import { type Input, Reply } from '../shared/contract/route.ts';
import { jsonReply, preferredType } from '../shared/lambda/content-negotiation.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { csvType, toCsv } from '../shared/lists/csv.ts';
import { clock } from '../shared/runtime/clock.ts';
import { route } from './contracts/tax-read.ts';
import { periodUntil, prepared } from './prepare.ts';
import { newTaxRun, taxReport } from './tax-parts.ts';
import { TaxResponse, taxColumns, toTaxResponse } from './tax-schemas.ts';

/** Reports the tax of a period, of the journal in the index alone. */
export async function reportTax({
  headers,
  query,
  caller: { applicationId },
  rateLimitPassed,
}: Input<typeof route>): Promise<Reply> {
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
}

export const handler = endpoint(route, reportTax, sellerCaller);
