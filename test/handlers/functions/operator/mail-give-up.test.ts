import { handler as drainOutboxes } from '../../../../functions/notices/drain.ts';
import { outboxStore } from '../../../../functions/notices/outbox/store.ts';
import { mailIdOf } from '../../../../functions/operator/mails/mail-id.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { dayMs, hourMs, minuteMs } from '../../../../functions/shared/runtime/clock.ts';
import { call, deliverOutboxOf, newOperatorKey, newSeller, noonMs, putItem } from '../../../support/call.ts';
import { failMail, refusedBySes } from '../../../support/faults.ts';
import { mailsTo } from '../../../support/mail/mailbox.ts';
import { waitingMail } from '../../../support/notices/given-up.ts';
import { asOperator } from '../../../support/samples/operator.ts';
import { startTimers, type TestTime } from '../../../support/subscriptions/timers.ts';

let time: TestTime;
let key: string;
beforeEach(async () => {
  // A table of its own, which has no mails of other tests.
  time = await startTimers({ startMs: noonMs, task: async (input) => ({ ...input, stage: 'end' }) });
  key = await newOperatorKey();
});
afterEach(() => time.stop());

const ask = async (action: 'give-up' | 'redrive', mailId: string) =>
  call(`operator.mail-${action}`, await asOperator({ params: { mailId } }, key));
const giveUp = (mailId: string) => ask('give-up', mailId);
const list = async (query: Record<string, string> = {}) =>
  (await call('operator.mail-list', await asOperator({ query }, key))).body.mails;

const done = { status: 200, body: { success: true } };
const refused = (status: string) => ({
  status: 409,
  body: { error: 'invalid_transition', details: { status } },
});

/** An invoice mail that the stream has not delivered yet. */
async function waitingInvoice() {
  const { id: subscriptionId, externalId } = await (await newSeller()).brought('pending');
  return { subscriptionId, mailId: `${subscriptionId}:invoice#1`, to: `${externalId}@example.com` };
}

describe('a mail that an operator gives up', () => {
  test('is not sent, is listed, has one record, and is sent after a redrive', async () => {
    const { mailId, to, subscriptionId } = await waitingInvoice();
    const before = failMail(() => refusedBySes('Throttling'));
    vi.setSystemTime(noonMs + 6 * minuteMs);
    await drainOutboxes().finally(before.restore);
    expect(await giveUp(mailId)).toMatchObject(done);
    expect(await giveUp(mailId)).toMatchObject(done);
    expect(await list()).toEqual([
      expect.objectContaining({
        _id: mailId,
        givenUpAt: new Date(noonMs + 6 * minuteMs).toISOString(),
        failure: 'GivenUpByOperator',
        attempts: 1,
        possibleCopies: 0,
      }),
    ]);
    vi.setSystemTime(noonMs + dayMs);
    await drainOutboxes();
    await deliverOutboxOf({ subscriptionId });
    expect(await mailsTo(to)).toEqual([]);
    const query = { objectId: mailId };
    const { actions } = (await call('operator.action-list', await asOperator({ query }, key))).body;
    expect(actions).toEqual([expect.objectContaining({ action: 'mail.given_up' })]);
    expect(actions[0].object).toEqual({
      kind: 'mail',
      id: mailId,
      applicationId: expect.stringMatching(/^app_/),
    });
    expect(await ask('redrive', mailId)).toMatchObject(done);
    await drainOutboxes();
    expect(await mailsTo(to)).toHaveLength(1);
  });

  test('while a cap holds it is not sent on the next day', async () => {
    const { subscriptionId, mailId, to } = await waitingInvoice();
    const entry = await outboxStore.get(keys.outbox(subscriptionId, 'invoice#1'));
    const leased = entry && (await outboxStore.claim(entry, noonMs));
    if (leased === undefined) throw new Error('The mail was not leased');
    await outboxStore.hold(leased, { by: 'recipient', untilMs: noonMs + dayMs }, noonMs);
    expect(await list({ status: 'held' })).toHaveLength(1);
    expect(await giveUp(mailId)).toMatchObject(done);
    expect(await list({ status: 'held' })).toEqual([]);
    vi.setSystemTime(noonMs + 2 * dayMs);
    await drainOutboxes();
    expect(await mailsTo(to)).toEqual([]);
    expect(await list()).toMatchObject([{ failure: 'GivenUpByOperator' }]);
  });
});

describe('a mail is not given up', () => {
  test('while a try sends it, and after it was sent', async () => {
    const { mailId, to, subscriptionId } = await waitingInvoice();
    const during: unknown[] = [];
    const { restore } = failMail(async () => {
      during.push(await giveUp(mailId));
      return undefined;
    });
    await deliverOutboxOf({ subscriptionId }).finally(restore);
    expect(during).toMatchObject([refused('in_delivery')]);
    expect(await mailsTo(to)).toHaveLength(1);
    expect(await giveUp(mailId)).toMatchObject(refused('sent'));
    expect(await list()).toEqual([]);
  });

  test('for five minutes after a try without an answer, and then is, before the next copy', async () => {
    const { mailId, to } = await waitingInvoice();
    const { restore } = failMail(() => Object.assign(new Error('no answer'), { name: 'TimeoutError' }));
    for (const minutes of [6, 12]) {
      vi.setSystemTime(noonMs + minutes * minuteMs);
      await drainOutboxes();
    }
    restore();
    vi.setSystemTime(noonMs + 17 * minuteMs - 1);
    expect(await giveUp(mailId)).toMatchObject(refused('in_delivery'));
    vi.setSystemTime(noonMs + 17 * minuteMs);
    expect(await giveUp(mailId)).toMatchObject(done);
    vi.setSystemTime(noonMs + 2 * hourMs);
    await drainOutboxes();
    expect(await mailsTo(to)).toEqual([]);
    expect(await list()).toMatchObject([{ _id: mailId, possibleCopies: 2 }]);
  });

  test('when it is none, or closes a checkout', async () => {
    const entry = await waitingMail(noonMs);
    const { entryId, subscriptionId } = entry;
    await putItem({ ...keys.outbox(subscriptionId, entryId), ...entry, kind: 'close_checkout' });
    for (const id of [mailIdOf(entry), `${subscriptionId}:other`, 'mail'])
      expect((await giveUp(id)).status).toBe(404);
  });
});
