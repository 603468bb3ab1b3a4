import type { Entry } from '../ledger/entry.ts';
import type { JournalRecord } from '../ledger/journal-record.ts';
import { dayMs } from '../shared/runtime/clock.ts';
import { isoDay } from '../shared/runtime/time-zone.ts';

export interface BookedRecord extends JournalRecord {
  /** `jrn_...` */
  readonly journalId: string;
  readonly bookedAtMs: number;
  /** The day of `bookedAtMs` in the time zone of the seller: `2026-11-24`. */
  readonly day: string;
  readonly entries: readonly BookedEntry[];
}

/** An entry with its value date in the time zone of the seller. */
export interface BookedEntry extends Entry {
  /** The day on which the money moved, if it is another one than that of booking. */
  readonly valueDate?: string;
  /** The month of the value date, if it had ended when the entry was booked: `2026-10`. */
  readonly lateFor?: string;
}

const monthOf = (day: string) => day.slice(0, 'yyyy-mm'.length);

/** @param day of booking. @param timeZone of the days; UTC by default. */
export function toBookedEntry({ valueAtMs, ...entry }: Entry, day: string, timeZone?: string): BookedEntry {
  const valueDate = valueAtMs === undefined ? day : valueDayOf({ valueAtMs, ...entry }, timeZone);
  if (valueDate === day) return entry;
  const month = monthOf(valueDate);
  return month < monthOf(day) ? { ...entry, valueDate, lateFor: month } : { ...entry, valueDate };
}

/** Banks state a day of the calendar, which is stored as 00:00 UTC. Gateways state a time. */
function valueDayOf(
  { valueAtMs, postings }: Entry & { readonly valueAtMs: number },
  timeZone: string | undefined,
): string {
  const isDay = valueAtMs % dayMs === 0 && postings.some(({ account }) => account === 'bank');
  return isoDay(valueAtMs, isDay ? undefined : timeZone);
}
