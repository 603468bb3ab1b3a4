import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { hourMs } from '../../../functions/shared/runtime/duration.ts';
import { environmentAt, lastHours, momentOf } from '../../calendar/moment.ts';

const at = (time: string) => Date.parse(time);
const iso = (ms: number) => new Date(ms).toISOString();

describe('a moment that is named', () => {
  test('is that of every process, with its zone', () => {
    const moment = momentOf(['2028-02-29T23:50:00Z', 'Pacific/Kiritimati'], Date.now());
    const env = { ...process.env, ...environmentAt(moment, Date.now()) };
    const program = `
      const child = process.getBuiltinModule('child_process').execFileSync(process.execPath, ['-p', 'Date.now()']);
      console.log(JSON.stringify([Date.now(), new Date().getTime(), Number(child), new Date().getDate()]));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--eval', program], { env, encoding: 'utf8' });
    expect(stderr).toBe('');
    const [now, constructed, child, day] = JSON.parse(stdout);
    for (const ms of [now, constructed, child]) expect(ms - moment.startMs).toBeGreaterThanOrEqual(0);
    for (const ms of [now, constructed, child]) expect(ms - moment.startMs).toBeLessThan(hourMs);
    expect(day).toBe(1);
  });

  test.each([[['tomorrow']], [['2028-02-29', 'Mars/Olympus']]])('is refused when it is %j', (named) => {
    expect(() => momentOf(named, Date.now())).toThrow(RangeError);
  });
});

test.each([
  ['2028-02-28T12:00:00Z', 'UTC', ['2028-02-29T23:00:00.000Z']],
  ['2028-02-28T12:00:00Z', 'Pacific/Kiritimati', ['2028-02-29T09:00:00.000Z']],
  ['2027-12-30T12:00:00Z', 'America/Los_Angeles', ['2028-01-01T07:00:00.000Z']],
  ['2027-03-13T12:00:00Z', 'America/Los_Angeles', ['2027-03-14T09:00:00.000Z']],
  ['2027-11-06T12:00:00Z', 'America/Los_Angeles', ['2027-11-07T08:00:00.000Z']],
])('of the three days from %s in %s, the hours that are drawn more often are %j', (start, zone, expected) => {
  const hours = Array.from({ length: 72 }, (_, i) => at(start) + i * hourMs);
  expect(lastHours(hours, zone).map(iso)).toEqual(expected);
});
