import { handler as drainOutboxes } from '../../../../../functions/notices/drain.ts';
import { dayMs, minuteMs } from '../../../../../functions/shared/runtime/clock.ts';
import {
  deliverOutboxOf,
  good,
  leaveOutPdfs,
  newSeller,
  noonMs,
  type Tenant,
} from '../../../../support/call.ts';
import { failMail, failTable } from '../../../../support/faults.ts';
import { mailsTo } from '../../../../support/mail/mailbox.ts';
import { clientOf, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';
import { startTimers, type TestTime } from '../../../../support/subscriptions/timers.ts';

leaveOutPdfs();

let seller: Tenant;
let time: TestTime;
let faults: { restore(): void }[] = [];
const faulty = <F extends { restore(): void }>(fault: F): F => {
  faults.push(fault);
  return fault;
};

beforeEach(() => {
  faults = [];
});
afterEach(async () => {
  for (const fault of faults) fault.restore();
  await time.stop();
});

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const copies = async (externalId: string) =>
  (await mailsTo((await clientOf(seller, externalId))?.email ?? '')).length;
const entryOf = async (externalId: string) => (await storedSubscription(seller, externalId)).outbox[0];

describe('one delivery', () => {
  let patience: { mockRestore(): void };
  beforeEach(async () => {
    // A killed function does nothing later: its send does not time out either, while other tests run.
    patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
    time = await startTimers({ startMs: noonMs, task: async (input) => ({ ...input, stage: 'end' }) });
    seller = await newSeller();
  });
  afterEach(() => patience.mockRestore());

  test('is counted before it is made, so that a repetition after a killed function sends nothing', async () => {
    const { externalId } = await seller.brought('pending');
    const subscription = await seller.stateOf(externalId);
    const reached = Promise.withResolvers<void>();
    const killed = faulty(
      failMail(() => {
        reached.resolve();
        return new Promise(() => {});
      }),
    );
    void deliverOutboxOf(subscription);
    await reached.promise;
    killed.restore();
    for (let retry = 1; retry <= 4; retry += 1) {
      later(minuteMs);
      await deliverOutboxOf(subscription);
      await drainOutboxes();
    }
    expect(await entryOf(externalId)).toMatchObject({ possibleCopies: 1 });
    expect(await copies(externalId)).toBe(0);
    later(minuteMs);
    await drainOutboxes();
    expect(await copies(externalId)).toBe(1);
  });

  test('that cannot be recorded keeps its distance to the next', async () => {
    const { externalId } = await seller.brought('pending');
    const subscription = await seller.stateOf(externalId);
    const table = faulty(
      failTable((_, __, input) =>
        JSON.stringify(input).includes('doneAtMs') ? new Error('connection lost') : undefined,
      ),
    );
    await deliverOutboxOf(subscription);
    table.restore();
    expect(await entryOf(externalId)).toMatchObject({
      possibleCopies: 1,
      leasedUntilMs: noonMs + 5 * minuteMs,
    });
    later(5 * minuteMs - 1);
    await drainOutboxes();
    expect(await copies(externalId)).toBe(1);
    later(1);
    await drainOutboxes();
    later(dayMs);
    await drainOutboxes();
    expect(await copies(externalId)).toBe(2);
  });

  test('of several mails stops while SES does not answer', async () => {
    const { id, externalId } = await seller.brought('active');
    later(minuteMs);
    good(await seller.act('cancel', id, { atPeriodEnd: true }));
    const subscription = await seller.stateOf(externalId);
    let tries = 0;
    faulty(
      failMail(() => {
        tries += 1;
        return Object.assign(new Error('silent'), { name: 'TimeoutError' });
      }),
    );
    const { outbox } = await storedSubscription(seller, externalId);
    expect(outbox.length).toBeGreaterThan(1);
    await deliverOutboxOf(subscription);
    expect(tries).toBe(1);
  });
});
