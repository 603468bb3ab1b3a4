import { handler as drainOutboxes } from '../../../../functions/notices/drain.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { dayMs, minuteMs } from '../../../../functions/shared/runtime/clock.ts';
import { newId } from '../../../../functions/shared/runtime/ids.ts';
import { call, good, newSeller, noonMs, putItem } from '../../../support/call.ts';
import { failMail, refusedBySes } from '../../../support/faults.ts';
import { pagesOf } from '../../../support/lists/pages.ts';
import { asOperator } from '../../../support/samples/operator.ts';
import { startTimers } from '../../../support/subscriptions/timers.ts';

const ask = async (id: string, query: Record<string, string> = {}) =>
  call('operator.subscription-mail-list', await asOperator({ params: { id }, query }));

describe('the mails of a subscription', () => {
  test('are listed newest first, with what became of each', async () => {
    // A table of its own, which has no mails of other tests.
    const time = await startTimers({ startMs: noonMs, task: async (input) => ({ ...input, stage: 'end' }) });
    try {
      const seller = await newSeller();
      const { id, externalId } = await seller.brought('pending');
      const to = `${externalId}@example.com`;
      const of = (entry: string, kind: string) => ({ _id: `${id}:${entry}`, kind, to });
      const createdAt = new Date(noonMs).toISOString();
      const first = { ...of('invoice#1', 'invoice'), createdAt };
      expect(good(await ask(id))).toEqual({ mails: [{ ...first, status: 'due', attempts: 0 }] });

      vi.setSystemTime(noonMs + 6 * minuteMs);
      await drainOutboxes();
      const sentAt = new Date(noonMs + 6 * minuteMs).toISOString();
      const sent = { ...first, status: 'sent', sentAt, attempts: 1 };
      expect(good(await ask(id)).mails).toEqual([sent]);

      const paidAtMs = noonMs + dayMs;
      vi.setSystemTime(paidAtMs);
      good(await seller.act('activate', id));
      vi.setSystemTime(paidAtMs + 3 * dayMs);
      const fault = failMail(() => refusedBySes('Throttling'));
      await drainOutboxes().finally(fault.restore);
      const { mails } = good(await ask(id));
      expect(mails).toEqual([
        {
          _id: expect.stringMatching(new RegExp(`^${id}:activated#`)),
          kind: 'activated',
          to,
          createdAt: new Date(paidAtMs).toISOString(),
          status: 'given_up',
          givenUpAt: new Date(paidAtMs + 3 * dayMs).toISOString(),
          failure: 'Throttling',
          attempts: 1,
        },
        sent,
      ]);
    } finally {
      await time.stop();
    }
  });

  /** A subscription with mails, a minute apart; the last is the newest. */
  async function withMails(entries: readonly object[]) {
    const subscriptionId = newId('sub', Date.now());
    const owner = { applicationId: 'app_none', externalId: 'none', subscriptionId };
    await putItem({ ...keys.subscriptionOwner(subscriptionId), ...owner });
    const startMs = Date.now() - dayMs;
    for (const [i, more] of entries.entries()) {
      const key = keys.outbox(subscriptionId, `invoice#${i}`);
      const mail = { kind: 'mail', template: 'invoice', to: 'ann@example.com', attempts: 0 };
      const entry = { ...owner, entryId: `invoice#${i}`, createdAtMs: startMs + i * minuteMs };
      await putItem({ ...key, ...entry, ...mail, ...more });
    }
    return subscriptionId;
  }

  test('are each on one page, while a mail is added', async () => {
    const id = await withMails(Array.from({ length: 12 }, () => ({})));
    let added = 0;
    const answers = await pagesOf(
      (place) => ask(id, { limit: '5', ...place }),
      async () => {
        added += 1;
        const mail = { kind: 'mail', template: 'renewal', to: 'ann@example.com', attempts: 0 };
        const entry = { subscriptionId: id, entryId: `renewal#${added}`, createdAtMs: Date.now() };
        await putItem({ ...keys.outbox(id, entry.entryId), ...mail, ...entry });
      },
    );
    const pages = answers.map(({ mails }) => mails.map(({ _id }: { _id: string }) => _id));
    expect(pages.map((page) => page.length)).toEqual([5, 5, 2]);
    expect(pages.flat()).toEqual(Array.from({ length: 12 }, (_, i) => `${id}:invoice#${11 - i}`));
  });

  test('show one that is held and one that was dropped, and neither an expired one nor another effect', async () => {
    const nowMs = Date.now();
    const expired = Math.floor(nowMs / 1_000) - 1;
    const id = await withMails([
      { doneAtMs: nowMs - 1, ttl: expired },
      { kind: 'close_checkout', invoiceN: 1 },
      { droppedAtMs: nowMs },
      { heldUntilMs: nowMs + dayMs, heldBy: 'recipient' },
      { heldUntilMs: nowMs - 1, heldBy: 'recipient' },
    ]);
    const { mails } = good(await ask(id));
    const shown = (n: number, outcome: object) => ({
      _id: `${id}:invoice#${n}`,
      kind: 'invoice',
      to: 'ann@example.com',
      createdAt: expect.any(String),
      attempts: 0,
      ...outcome,
    });
    const heldUntil = new Date(nowMs + dayMs).toISOString();
    expect(mails).toEqual([
      shown(4, { status: 'due' }),
      shown(3, { status: 'held', heldUntil, heldBy: 'recipient' }),
      shown(2, { status: 'dropped', droppedAt: new Date(nowMs).toISOString() }),
    ]);
  });

  test('of a subscription that does not exist are not found', async () => {
    for (const id of ['x', 'sub_*', newId('sub', Date.now())])
      expect([id, (await ask(id)).status]).toEqual([id, 404]);
  });
});
