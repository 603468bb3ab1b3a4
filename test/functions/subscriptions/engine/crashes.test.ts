import { describe, expect, test, vi } from 'vitest';
import { failTable, loseAnswers } from '../../../support/faults.ts';
import { essence, type Life, lived, subjectsOf } from '../../../support/subscription-lives.ts';
import { expectSound } from '../../../support/subscription-state.ts';
import { noonMs, onTestClock, step } from '../../../support/subscription-world.ts';
import { newSeller } from '../../../support/subscriptions.ts';

onTestClock();
const broken = new Error('killed');
/** More calls to the table than any step makes. */
const mostCalls = 9;

type Fault = (index: number) => { restore(): void };
const killedFrom: Fault = (from) => failTable((_, i) => (i >= from ? broken : undefined));
const oneFails: Fault = (at) => failTable((_, i) => (i === at ? broken : undefined));
const answerLost: Fault = (at) => loseAnswers((_, i) => i === at);

describe.each<[string, Fault]>([
  ['killed at', killedFrom],
  ['refused by the table at', oneFails],
  ['left without the answer of', answerLost],
])('a step that is %s any of its calls, and runs again', (_, fault) => {
  test.each<Life>([
    'a trial that nobody pays',
    'a renewal that nobody pays',
    'a first payment that never comes',
  ])('leads %s to the same end, with each mail sent', async (life) => {
    const seller = await newSeller();
    const whole = await lived(seller, life, noonMs);
    for (let index = 0; index < mostCalls; index += 1) {
      const { found, mails } = await lived(seller, life, noonMs, async (seen) => {
        const atMs = Date.now();
        const broke = fault(index);
        await step(seen)
          .catch(() => undefined)
          .finally(broke.restore);
        // After the lease of whoever died is over; Step Functions counts its tries.
        for (let retry = 1; retry <= 3; retry += 1) {
          vi.setSystemTime(Date.now() + 130_000);
          await step(seen, { retry });
        }
        vi.setSystemTime(atMs);
      });
      expect(essence(found), `call ${index}`).toEqual(essence(whole.found));
      expect(
        found.outbox.filter((entry) => entry.doneAtMs === undefined && entry.droppedAtMs === undefined),
      ).toEqual([]);
      const sent = subjectsOf(mails);
      // Only whoever dies between sending a mail and noting it sends it again.
      const expected = subjectsOf(whole.mails);
      expect([...new Set(sent)], `call ${index}`).toEqual([...new Set(expected)]);
      expect(sent.length).toBeLessThanOrEqual(2 * expected.length);
      await expectSound(seller, found.subscription.externalId);
    }
  });
});
