/** The part of the index that a tax report reads: the journal. */
import type { JournalRecord } from '../ledger/journal-record.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import { part, type ReportKind } from './count.ts';
import type { ReportPeriod, ReportRun } from './report-run.ts';
import { addEntry, type TaxFigures } from './tax.ts';

export const taxReport: ReportKind<TaxFigures, TaxFigures> = {
  parts: {
    journal: part('journal', ['booked'], (rows: TaxFigures, { entries }: JournalRecord) => {
      for (const entry of entries) addEntry(rows, entry);
    }),
  },
  counterOf: ({ figures }) => figures,
};

/** A report of which nothing is counted. */
export function newTaxRun(
  applicationId: string,
  period: ReportPeriod,
  asOfMs: number,
): ReportRun<TaxFigures> {
  const places = { from: isoTime(period.fromMs), to: isoTime(period.toMs) };
  return { applicationId, period, asOfMs, unread: { journal: places }, records: 0, figures: {} };
}
