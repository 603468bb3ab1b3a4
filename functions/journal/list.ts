import { type Application, getApplication } from '../shared/accounts/applications.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { firstType, jsonReply, preferredType } from '../shared/lambda/content-negotiation.ts';
import { ApiError, endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { csvType, textReply, toCsv } from '../shared/lists/csv.ts';
import { indexedPage } from '../shared/lists/indexed-list.ts';
import { isDay } from '../shared/lists/requests.ts';
import { clock } from '../shared/runtime/clock.ts';
import type { BookedRecord } from './booked-record.ts';
import { type PostingRow, postingColumns, postingRows } from './columns.ts';
import { type DatevRows, fiscalYearOf, toDatev, toDatevRows } from './datev.ts';
import { hledgerType, toHledger, toTransactions } from './hledger.ts';
import { journalOf } from './journal-of.ts';
import { listRoute } from './routes.ts';
import { toRecordResponse } from './schemas.ts';
import { windows1252 } from './windows-1252.ts';

type Request = Input<typeof listRoute>;

/** A format other than JSON. A page of it has as many records as fit. */
interface TextFormat<R> {
  readonly type: string;
  readonly fileName?: string;
  readonly toResponse: (record: BookedRecord) => R;
  readonly write: (records: readonly R[]) => string | Uint8Array;
}

/** The records of a page of text, at most: a file is imported by hand. */
const maxRecordsOfText = 4_000;

const csv: TextFormat<readonly PostingRow[]> = {
  type: csvType,
  toResponse: (record) => postingRows(toRecordResponse(record)),
  write: (rows) => toCsv(postingColumns, rows.flat()),
};

const hledger = {
  type: hledgerType,
  toResponse: (record: BookedRecord) => toTransactions(toRecordResponse(record)),
  write: toHledger,
};

/**
 * DATEV reads Windows-1252, and UTF-8 with a byte order mark where a person imports the file. API Gateway sends bytes to those whose
 * `Accept` begins with the type, and text to others.
 *
 * @throws ApiError `invalid_request` without the setting `datev`, and for a period that a batch cannot have.
 */
function datev({ query: { from, to }, headers }: Request, { settings }: Application) {
  const invalid = (details: Record<string, string>) => new ApiError('invalid_request', { details });
  const accounts = settings.datev;
  if (accounts === undefined) throw invalid({ format: 'needs the setting `datev` of the application' });
  if (from === undefined || !isDay(from)) throw invalid({ from: 'must be a day for DATEV' });
  if (to === undefined || !isDay(to)) throw invalid({ to: 'must be a day for DATEV' });
  if (fiscalYearOf(from, accounts) !== fiscalYearOf(to, accounts))
    throw invalid({ to: 'must be in the fiscal year of `from` for DATEV' });
  const batch = { from, to, createdAtMs: clock.nowMs() };
  const acceptsBytes = firstType(headers.accept) === 'text/csv';
  return {
    type: `text/csv; charset=${acceptsBytes ? 'windows-1252' : 'utf-8'}; header=present`,
    fileName: `EXTF_Buchungsstapel_${from}_${to}.csv`,
    toResponse: (record: BookedRecord) => toDatevRows(record, accounts),
    write: (records: readonly DatevRows[]) => {
      const text = toDatev(records, batch, accounts);
      return acceptsBytes ? windows1252(text) : `\uFEFF${text}`;
    },
  };
}

export async function listJournal(request: Request): Promise<Reply> {
  const { query, headers, caller, rateLimitPassed } = request;
  const [application] = await Promise.all([getApplication(caller.applicationId), rateLimitPassed]);
  if (application === undefined) throw new ApiError('not_found');
  if (query.format === 'datev') return textPage(request, application, datev(request, application));
  if (query.format === 'hledger') return textPage(request, application, hledger);
  if (preferredType(headers.accept, ['application/json', 'text/csv']) === 'text/csv')
    return textPage(request, application, csv);
  const { items, nextCursor } = await indexedPage(journalOf(application, toRecordResponse), query);
  return jsonReply(listRoute.response, { records: items, nextCursor });
}

async function textPage<R>(
  { query, baseUrl }: Request,
  application: Application,
  { type, fileName, toResponse, write }: TextFormat<R>,
): Promise<Reply> {
  const { limit = maxRecordsOfText } = query;
  const list = journalOf(application, toResponse);
  const { items, nextCursor } = await indexedPage(list, Object.assign({}, query, { limit }));
  return textReply(`${baseUrl}${listRoute.path}`, query, { type, fileName, body: write(items) }, nextCursor);
}

export const handler = endpoint(listRoute, listJournal, sellerCaller);
