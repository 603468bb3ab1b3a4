import { hourMs, minuteMs } from './clock.ts';

/** A party or a record with the time zone of its dates: an IANA name. UTC when absent. */
export interface Zoned {
  timeZone?: string | undefined;
}

export const utc: Zoned = {};

/** Formats by time zone, created on demand: the first use of Intl takes 10 ms of a cold start, which UTC does without. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day of a moment: `2026-11-21`. */
export function isoDay(epochMs: number, timeZone = 'UTC'): string {
  const { day, month, year } = momentOf(epochMs, timeZone);
  return `${year}-${month}-${day}`;
}

/** The month of a moment: `2026-11`. */
export const isoMonth = (epochMs: number, timeZone?: string): string =>
  isoDay(epochMs, timeZone).slice(0, 'yyyy-mm'.length);

/** @param months after that of the moment; negative for those before it. */
export function monthStartMs(epochMs: number, timeZone?: string, months = 0): number {
  const first = new Date(`${isoMonth(epochMs, timeZone)}-01`);
  return dayStartMs(isoDay(first.setUTCMonth(first.getUTCMonth() + months)), timeZone);
}

/** The digits of a moment on the clock of a time zone, as a moment of UTC: to compare it with a day of the calendar, which begins at 00:00 UTC. */
export function wallClockMs(epochMs: number, timeZone = 'UTC'): number {
  const { hour, minute } = momentOf(epochMs, timeZone);
  return Date.parse(`${isoDay(epochMs, timeZone)}T${hour}:${minute}Z`) + (epochMs % minuteMs);
}

type Moment = Partial<Record<Intl.DateTimeFormatPartTypes, string | undefined>>;

export function momentOf(epochMs: number, timeZone: string): Moment {
  if (timeZone === 'UTC') {
    const [year, month, day, hour, minute] = new Date(epochMs).toISOString().split(/[-T:]/);
    return { year, month, day, hour, minute, timeZoneName: 'UTC' };
  }
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'shortOffset',
    });
  formats.set(timeZone, format);
  return Object.fromEntries(format.formatToParts(epochMs).map(({ type, value }) => [type, value]));
}

/** Zones are between 12 hours behind UTC and 14 ahead of it, and one has left out a day. */
const farthestMs = 36 * hourMs;

/**
 * The first moment of a day, in epoch milliseconds. Where clocks are put forward at midnight the day begins later, and a day
 * that was left out begins with the next one.
 *
 * @param day of the calendar, such as `2026-11-21`.
 */
export function dayStartMs(day: string, timeZone = 'UTC'): number {
  const utcMs = Date.parse(day);
  if (timeZone === 'UTC') return utcMs;
  let beforeMs = utcMs - farthestMs;
  let startMs = utcMs + farthestMs;
  while (startMs - beforeMs > 1) {
    const middleMs = Math.floor((beforeMs + startMs) / 2);
    if (isoDay(middleMs, timeZone) < day) beforeMs = middleMs;
    else startMs = middleMs;
  }
  return startMs;
}
