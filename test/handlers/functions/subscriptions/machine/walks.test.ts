import { expect, test } from 'vitest';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';
import { walk } from '../../../../support/subscriptions/walks/walk.ts';
import { samples } from '../../../../support/thoroughness.ts';

leaveOutPdfs();

/**
 * `npm run walks -- 20000 --seed N` sets both. The walks of the suite are the same in every run. A failure prints the seed of
 * the client that it met.
 */
const steps = Number(process.env.WALK_STEPS ?? samples({ few: 40, many: 2_000 }));
const seed = Number(process.env.WALK_SEED ?? 1);

test('after every step of a random walk money balances, no paid day is lost or given twice, and numbers and events have no gap', {
  timeout: 12 * 3_600_000,
}, async () => {
  const report = await walk(steps, seed);
  if (process.env.WALK_STEPS !== undefined)
    process.stdout.write(`${JSON.stringify({ seed, ...report }, undefined, 2).replaceAll('\\n', '\n')}\n`);
  expect(report.failures).toEqual([]);
  expect(report.contradictions).toEqual({});
  expect(report.steps).toBe(steps);
});
