import { describe, expect, test, vi } from 'vitest';
import { failTable, loseAnswers } from '../../../../support/faults.ts';
import {
  comparableState,
  type Life,
  runCourse,
  subjectsOf,
} from '../../../../support/subscriptions/courses.ts';
import { newSeller } from '../../../../support/subscriptions/requests.ts';
import { noonMs, onTestClock, step } from '../../../../support/subscriptions/steps.ts';
import { expectSound } from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';
import { samples } from '../../../../support/thoroughness.ts';

onTestClock();
leaveOutPdfs();
const broken = new Error('killed');

/** @param strikes whether the fault hits the call to the table of that index. */
type Fault = (strikes: (index: number) => boolean) => { restore(): void };
const fail: Fault = (strikes) => failTable((_, i) => (strikes(i) ? broken : undefined));
const loseAnswer: Fault = (strikes) => loseAnswers((_, i) => strikes(i));

const from = (first: number) => (index: number) => index >= first;
const only = (one: number) => (index: number) => index === one;

const trial = 'a trial that nobody pays';
const renewal = 'a renewal that nobody pays';
const firstPayment = 'a first payment that never comes';
const all: Life[] = [trial, renewal, firstPayment];

describe.each<[string, Fault, typeof from, Life]>([
  ['is killed at', fail, from, trial],
  ['is refused by the table at', fail, only, firstPayment],
  ['loses the response of', loseAnswer, only, trial],
])('a step that %s any of its calls, and runs again', (_, fault, struck, one) => {
  test.each(samples({ few: [one], many: all }))(
    'brings %s to the same end, with each mail sent',
    async (life) => {
      const whole = await runCourse(await newSeller(), life, noonMs);
      let hasStruck = true;
      // Until the index exceeds the calls of every step.
      for (let index = 0; hasStruck; index += samples({ few: 3, many: 1 })) {
        hasStruck = false;
        // All courses begin at one moment: those of one application would exceed its rate limit.
        const seller = await newSeller();
        const strikes = (call: number) => {
          const isStruck = struck(index)(call);
          hasStruck ||= isStruck;
          return isStruck;
        };
        const { found, mails } = await runCourse(seller, life, noonMs, async (seen) => {
          const atMs = Date.now();
          const broke = fault(strikes);
          await step(seen)
            .catch(() => undefined)
            .finally(broke.restore);
          // After the lease of the killed delivery has expired. The stream and Step Functions try again.
          for (let retry = 1; retry <= 3; retry += 1) {
            vi.setSystemTime(Date.now() + 310_000);
            await step(seen);
          }
          vi.setSystemTime(atMs);
        });
        expect(comparableState(found), `call ${index}`).toEqual(comparableState(whole.found));
        expect(
          found.outbox.filter((entry) => entry.doneAtMs === undefined && entry.droppedAtMs === undefined),
        ).toEqual([]);
        const sent = subjectsOf(mails);
        // Only a step that dies between sending a mail and recording it sends that mail again.
        const expected = subjectsOf(whole.mails);
        expect([...new Set(sent)], `call ${index}`).toEqual([...new Set(expected)]);
        expect(sent.length).toBeLessThanOrEqual(2 * expected.length);
        await expectSound(seller, found.subscription.externalId);
        if (!hasStruck) expect(index).toBeGreaterThanOrEqual(3);
      }
    },
  );
});
