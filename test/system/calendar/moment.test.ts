import { spawnSync } from 'node:child_process';
import { hourMs } from '../../../functions/shared/runtime/clock.ts';
import { environmentAt, momentOf } from '../../calendar/moment.ts';

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
});
