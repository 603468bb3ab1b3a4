import { dayMs } from '../../../shared/runtime/clock.ts';
import { UnreadableFile } from './entry.ts';

export const dateFormats = ['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY', 'YYYYMMDD'] as const;
export type DateFormat = (typeof dateFormats)[number];

/** A date of ISO 8601 can have a time and a zone. */
const patterns: Readonly<Record<DateFormat, RegExp>> = {
  'YYYY-MM-DD':
    /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[T ]\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?[AP]M)?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?$/i,
  'DD.MM.YYYY': /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4}|\d\d)$/,
  'DD/MM/YYYY': /^(?<day>\d{1,2})[/-](?<month>\d{1,2})[/-](?<year>\d{4}|\d\d)$/,
  'MM/DD/YYYY': /^(?<month>\d{1,2})[/-](?<day>\d{1,2})[/-](?<year>\d{4}|\d\d)$/,
  YYYYMMDD: /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)$/,
};

/** Years of two digits are of this century: no online bank is older. */
const century = '20';

/**
 * An entry whose date is no day on which a bank books. A bank does not write one, but exports that people edit have them: the
 * entry is reported, and the others are read.
 */
class ImpossibleDate extends UnreadableFile {}

/** @returns what was read; or of an entry whose date is impossible, what is wrong with it. */
export function unlessImpossible<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof ImpossibleDate) return error.message;
    throw error;
  }
}

/** Banks state value dates ahead of the booking, of cheques by weeks. More is another order of day and month. */
const maxAheadMs = 31 * dayMs;

/**
 * Midnight UTC of a date. Of a date with a time (ISO 8601), the calendar day that it states.
 *
 * @param where names the entry in the error.
 * @param nowMs the latest day is 31 days after it.
 * @throws ImpossibleDate
 */
export function dayOf(
  text: string,
  where: string,
  { nowMs, format = 'YYYY-MM-DD' }: { nowMs: number; format?: DateFormat },
): number {
  const { year = '', month = '', day = '' } = patterns[format].exec(text.trim())?.groups ?? {};
  const fullYear = year.length === 2 ? century + year : year;
  const iso = `${fullYear}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const atMs = Date.parse(iso);
  // A day that the month does not have is read as one of the next month.
  if (Number.isNaN(atMs) || new Date(atMs).toISOString().slice(0, 10) !== iso || !/^20/.test(iso))
    throw new ImpossibleDate(`${where} has a date that is not a day of this century in the form ${format}`);
  if (atMs > nowMs + maxAheadMs)
    throw new ImpossibleDate(`${where} has a date that is more than 31 days ahead`);
  return atMs;
}
