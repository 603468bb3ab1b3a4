import { isoTime } from '../../../../../functions/shared/runtime/clock.ts';
import { dayStartMs, isoDay } from '../../../../../functions/shared/runtime/time-zone.ts';

test.each([
  ['UTC', '2026-11-30', '2026-11-30T00:00:00.000Z'],
  ['UTC', '1970-01-01', '1970-01-01T00:00:00.000Z'],
  ['Europe/Berlin', '2026-11-30', '2026-11-29T23:00:00.000Z'],
  // The clock is put forward on 29 March 2026, and back on 25 October 2026.
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z'],
  ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00.000Z'],
  ['America/New_York', '2026-12-31', '2026-12-31T05:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11-30', '2026-11-29T18:15:00.000Z'],
  ['Etc/GMT+12', '2026-11-30', '2026-11-30T12:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-30', '2026-11-29T10:00:00.000Z'],
  // Midnight is skipped: the day begins at one.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
  // Midnight is repeated: the day begins at the first.
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  // Samoa left out 30 December 2011.
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
])('a day begins in a time zone: %s: %s at %s', (timeZone, day, start) => {
  expect(isoTime(dayStartMs(day, timeZone))).toBe(start);
});

test('a moment has the date of the time zone', () => {
  const ms = Date.parse('2026-10-31T23:00:00Z');
  expect(isoDay(ms, 'Europe/Berlin')).toBe('2026-11-01');
  expect(isoDay(ms - 1, 'Europe/Berlin')).toBe('2026-10-31');
  expect(isoDay(ms)).toBe('2026-10-31');
});
