import { randomInt } from 'node:crypto';
import { dayMs, hourMs } from '../../functions/shared/runtime/clock.ts';

/** When and where a run of the suite believes itself to be. */
export interface Moment {
  startMs: number;
  zone: string;
}

const zones = Intl.supportedValuesOf('timeZone');
/** A leap year is among them. */
const drawnMs = 4 * 366 * dayMs;

/**
 * The moment that a command line names, or one that is drawn from the next four years. Half of those that are drawn lie in
 * the last hour of a month or in the hour before a zone changes its offset.
 *
 * @throws RangeError for what is no date or no zone.
 */
export function momentOf([date, zone]: readonly string[], nowMs: number): Moment {
  if (date === undefined) return drawnMoment(nowMs);
  return { startMs: Date.parse(new Date(date).toISOString()), zone: knownZone(zone ?? 'UTC') };
}

function drawnMoment(nowMs: number): Moment {
  const zone = drawnFrom(zones);
  const hours = Array.from({ length: drawnMs / hourMs }, (_, i) => nowMs + i * hourMs);
  const startMs = drawnFrom(randomInt(2) === 0 ? hours : lastHours(hours, zone)) + randomInt(hourMs);
  return { startMs, zone };
}

/** The hours within which the month or the offset of the zone changes. */
function lastHours(hours: readonly number[], zone: string): number[] {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    month: 'numeric',
    timeZoneName: 'longOffset',
  });
  return hours.filter((hour) => format.format(hour) !== format.format(hour + hourMs));
}

const drawnFrom = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;

function knownZone(zone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
}

/** The environment of a process that lives at a moment, and of all that it starts. @param nowMs the time of this process. */
export function environmentAt({ startMs, zone }: Moment, nowMs: number): Record<string, string> {
  // This process may have a moved clock itself.
  const { NODE_OPTIONS = '', TEST_CLOCK_OFFSET_MS = '0' } = process.env;
  const clock = new URL('./moved-clock.ts', import.meta.url).href;
  return {
    TZ: zone,
    TEST_CLOCK_OFFSET_MS: String(startMs - nowMs + Number(TEST_CLOCK_OFFSET_MS)),
    NODE_OPTIONS: `${NODE_OPTIONS} --import=${clock}`.trim(),
  };
}
