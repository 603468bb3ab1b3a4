/** The files of the money of an application. */
import * as z from 'zod/mini';
import { largestAccount, orRefused } from '../console/pages/lists.ts';
import { type Answer, csvFile } from '../console/pages/visit.ts';
import { postingColumns, postingRows } from '../journal/columns.ts';
import { journalOf } from '../journal/journal-of.ts';
import { toRecordResponse } from '../journal/schemas.ts';
import { receivablesPage } from '../reports/receivables-list.ts';
import { receivableColumns } from '../reports/receivables-schemas.ts';
import type { Application } from '../shared/accounts/applications.ts';
import { toCsv } from '../shared/lists/csv.ts';
import { indexedPage } from '../shared/lists/indexed-list.ts';
import { type ReadPage, recordsOfFile } from '../shared/lists/records-of-file.ts';
import { periodFields } from '../shared/lists/requests.ts';
import { fileRefusal } from './pages/money-page.ts';

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
