import { UnreadableFile } from './entry.ts';

/** How a CSV file writes dates. */
export const dateFormats = ['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY', 'YYYYMMDD'] as const;
export type DateFormat = (typeof dateFormats)[number];

const patterns: Readonly<Record<DateFormat, RegExp>> = {
  'YYYY-MM-DD': /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)/,
  'DD.MM.YYYY': /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4}|\d\d)$/,
  'DD/MM/YYYY': /^(?<day>\d{1,2})[/-](?<month>\d{1,2})[/-](?<year>\d{4}|\d\d)$/,
  'MM/DD/YYYY': /^(?<month>\d{1,2})[/-](?<day>\d{1,2})[/-](?<year>\d{4}|\d\d)$/,
  YYYYMMDD: /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)$/,
};

/** Years of two digits are of this century: no online bank is older. */
const century = '20';

/**
 * Midnight UTC of a date. Of a date with a time (ISO 8601), the calendar day that it states.
 *
 * @param where names the entry in the error.
 * @throws UnreadableFile
 */
export function dayOf(text: string, where: string, format: DateFormat = 'YYYY-MM-DD'): number {
  const { year = '', month = '', day = '' } = patterns[format].exec(text.trim())?.groups ?? {};
  const fullYear = year.length === 2 ? century + year : year;
  const iso = `${fullYear}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const atMs = Date.parse(iso);
  // A day that the month does not have is read as one of the next month.
  if (Number.isNaN(atMs) || new Date(atMs).toISOString().slice(0, 10) !== iso || !/^20/.test(iso))
    throw new UnreadableFile(`${where} has a date that is not a day of this century in the form ${format}`);
  return atMs;
}
