/**
 * Dates in which 32-bit seconds overflow, and a late leap day: every course of a subscription goes as it does today. Each route is
 * called at such a date by smoke.test.ts.
 */
import { subscriptionMail } from '../../../functions/notices/mails/subscription-mail.ts';
import { tableSchema } from '../../../functions/shared/contract/table-schema.ts';
import { dayMs } from '../../../functions/shared/runtime/clock.ts';
import { handler as runStep } from '../../../functions/subscriptions/run-step.ts';
import { inputFor, newSeller } from '../../support/call.ts';
import { contradictionsIn, type JudgedMail } from '../../support/notices/mail-judge.ts';
import { lifeNames, lives, liveUntil } from '../../support/subscriptions/courses.ts';
import { expectSound, itemsOf, storedSubscription } from '../../support/subscriptions/stored-state.ts';

/** Half a minute before the last second that 32 bits hold; a late leap day. */
const starts = ['2038-01-19T03:13:37.000Z', '2096-02-29T12:00:00.000Z'];

describe.each(starts)('in %s', (start) => {
  const startMs = Date.parse(start);

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
  });
  test.each(lifeNames)('%s: the dates, the timers, what expires, and the mails', async (life) => {
    const seller = await newSeller();
    const { externalId } = await lives[life].begin(seller);
    const read = () => seller.stateOf(externalId);
    const { outbox } = await storedSubscription(seller, externalId);
    const known = new Set(outbox.map(({ entryId }) => entryId));
    const mails: JudgedMail[] = [];
    const note = async () => {
      const found = await storedSubscription(seller, externalId);
      for (const entry of found.outbox) {
        if (entry.kind !== 'mail' || known.has(entry.entryId)) continue;
        known.add(entry.entryId);
        const invoice = found.invoices.find(({ n }) => n === entry.invoiceN);
        const { subscription } = found;
        const mail = subscriptionMail(entry, invoice, { nowMs: Date.now(), subscription });
        mails.push({ mail, atMs: Date.now(), found });
      }
    };
    await liveUntil(startMs + lives[life].days * dayMs, read, async (seen) => {
      const { timer } = seen;
      expect(inputFor(seen).dueAt).toBe(new Date(timer?.dueAtMs ?? 0).toISOString());
      await runStep(inputFor(seen));
      await note();
      expect((await read()).timerVersion).toBeGreaterThan(seen.timerVersion);
    });
    expect(contradictionsIn(mails)).toEqual([]);
    await expectSound(seller, externalId);
    const expiries = (await itemsOf(seller, externalId)).flatMap((item) => {
      const expiry = item[tableSchema.timeToLive];
      return typeof expiry === 'number' ? [expiry] : [];
    });
    for (const expiry of expiries) expect(expiry * 1_000).toBeGreaterThan(startMs);
  });
});
