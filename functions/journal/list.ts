import { type Application, getApplication } from '../shared/accounts/applications.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { jsonReply, preferredType } from '../shared/lambda/content-negotiation.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { csvType, toCsv } from '../shared/lists/csv.ts';
import { listPage } from '../shared/lists/list-page.ts';
import { textReply } from '../shared/lists/replies.ts';
import { isDay } from '../shared/lists/requests.ts';
import { clock } from '../shared/runtime/clock.ts';
import type { BookedRecord } from './booked-record.ts';
import { postingColumns, postingRows } from './columns.ts';
import { route } from './contracts/list.ts';
import { datevType, fiscalYearOf, toDatev } from './datev.ts';
import { hledgerType, toHledger } from './hledger.ts';
import { bookedRecordReader } from './read-record.ts';
import { toRecordResponse } from './schemas.ts';

type Request = Input<typeof route>;

/** A format other than JSON. */
interface TextFormat {
  readonly type: string;
  readonly write: (records: readonly BookedRecord[]) => string;
}

const csv: TextFormat = {
  type: csvType,
  write: (records) => toCsv(postingColumns, postingRows(records.map(toRecordResponse))),
};

const hledger: TextFormat = {
  type: hledgerType,
  write: (records) => toHledger(records.map(toRecordResponse)),
};

/** @throws ApiError `invalid_request` without the setting `datev`, and for a period that a batch cannot have. */
function datev({ from, to, currency = 'EUR' }: Request['query'], { settings }: Application): TextFormat {
  const invalid = (details: Record<string, string>) => new ApiError('invalid_request', { details });
  const accounts = settings.datev;
  if (accounts === undefined) throw invalid({ format: 'needs the setting `datev` of the application' });
  if (from === undefined || !isDay(from)) throw invalid({ from: 'must be a day for DATEV' });
  if (to === undefined || !isDay(to)) throw invalid({ to: 'must be a day for DATEV' });
  if (fiscalYearOf(from, accounts) !== fiscalYearOf(to, accounts))
    throw invalid({ to: 'must be in the fiscal year of `from` for DATEV' });
  const batch = { from, to, currency, createdAtMs: clock.nowMs() };
  return { type: datevType, write: (records) => toDatev(records, batch, accounts) };
}

function textFormatOf({ query, headers }: Request, application: Application): TextFormat | undefined {
  if (query.format === 'datev') return datev(query, application);
  if (query.format === 'hledger') return hledger;
  return preferredType(headers.accept, ['application/json', 'text/csv']) === 'text/csv' ? csv : undefined;
}

/** Lists the journal of the application, newest first. */
export async function listJournal(request: Request): Promise<Reply> {
  const { query, caller, baseUrl, rateLimitPassed } = request;
  const { applicationId } = caller;
  const [application] = await Promise.all([getApplication(applicationId), rateLimitPassed]);
  if (application === undefined) throw new ApiError('not_found');
  const format = textFormatOf(request, application);
  const { timeZone } = application.settings;
  const { items, nextCursor } = await listPage(
    {
      applicationId,
      kind: 'journal',
      statuses: ['booked'],
      timeZone,
      // The index has all of a record, which never changes.
      itemsOf: (entries) => entries,
      read: bookedRecordReader(timeZone),
      toResponse: (record) => record,
    },
    query,
  );
  if (format === undefined)
    return jsonReply(route.response, { records: items.map(toRecordResponse), nextCursor });
  const { type, write } = format;
  return textReply(`${baseUrl}${route.path}`, query, { type, body: write(items) }, nextCursor);
}

export const handler = endpoint(route, listJournal, sellerCaller);
