/** Deliveries of the stream beside what people do, under every order of their calls to the table. */

import { handler as deliverOutbox } from '../../../functions/notices/deliver.ts';
import { handler as drainOutboxes } from '../../../functions/notices/drain.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { minuteMs } from '../../../functions/shared/runtime/clock.ts';
import { call, leaveOutPdfs, newOperatorKey, newSeller, noonMs } from '../../support/call.ts';
import { mailsTo } from '../../support/mail/mailbox.ts';
import { atOnce, type Begun } from '../../support/orders/at-once.ts';
import type { Turn, Work } from '../../support/orders/turns.ts';
import { asOperator } from '../../support/samples/operator.ts';
import { startTimers, type TestTime } from '../../support/subscriptions/timers.ts';
import { streamEvent } from '../../support/table/stream.ts';
import { samples } from '../../support/thoroughness.ts';

leaveOutPdfs();

const most = samples({ few: 16, many: 1_000 });

/** The stream hands the entry of the outbox over. */
const delivery = (subscriptionId: string, entryId: string) => () =>
  deliverOutbox(streamEvent([keys.outbox(subscriptionId, entryId)]));

/** The stream hands over, twice, the entries of the outbox that a request makes. */
const handedOverTwice = ({ writes, cause }: Turn): readonly Work<unknown>[] => {
  const made = cause === undefined ? writes.filter((item) => item.includes('\nOUTBOX#')) : [];
  if (made.length === 0) return [];
  const event = streamEvent(made.map((item) => item.split('\n')).map(([pk = '', sk = '']) => ({ pk, sk })));
  return [() => deliverOutbox(event), () => deliverOutbox(event)];
};

describe('a mail', () => {
  let time: TestTime;
  let key: string;
  beforeEach(async () => {
    // A table of its own, which has no mails of other tests.
    time = await startTimers({ startMs: noonMs, task: async (input) => ({ ...input, stage: 'end' }) });
    key = await newOperatorKey();
  });
  afterEach(() => time.stop());

  /** An invoice mail that the stream has not delivered, six minutes later. */
  async function waiting() {
    vi.setSystemTime(noonMs);
    const { id, externalId } = await (await newSeller()).brought('pending');
    vi.setSystemTime(noonMs + 6 * minuteMs);
    const request = await asOperator({ params: { mailId: `${id}:invoice#1` } }, key);
    const sent = async () => (await mailsTo(`${externalId}@example.com`)).length;
    const operator = (what: 'give-up' | 'redrive') => async () =>
      (await call(`operator.mail-${what}`, request)).status;
    return { id, operator, sent, deliver: delivery(id, 'invoice#1') };
  }

  test('that the stream hands over twice is sent once', async () => {
    const begin = async (): Promise<Begun> => {
      const seller = await newSeller();
      const { id, externalId } = await seller.brought('pending');
      return {
        works: [async () => (await seller.act('activate', id)).status],
        caused: handedOverTwice,
        check: async () => {
          const subjects = (await mailsTo(`${externalId}@example.com`)).map(({ subject }) => subject);
          expect(subjects).toHaveLength(1);
        },
      };
    };
    expect((await atOnce(begin, { most })).run).toBeGreaterThan(1);
  });

  test('that is given up and delivered at the same time is one of both', async () => {
    const begin = async (): Promise<Begun> => {
      const { operator, deliver, sent } = await waiting();
      return {
        works: [operator('give-up'), deliver],
        check: async ([status]) =>
          expect([status, await sent()]).toEqual(status === 200 ? [200, 0] : [409, 1]),
      };
    };
    expect((await atOnce(begin, { most })).run).toBeGreaterThan(1);
  });

  test.each([
    ['twice by the stream', (one: Awaited<ReturnType<typeof waiting>>) => one.deliver],
    ['by the stream and by the timer', () => () => drainOutboxes()],
  ])('that is due again and delivered %s is sent once', async (_, other) => {
    const begin = async (): Promise<Begun> => {
      const one = await waiting();
      await one.operator('give-up')();
      return {
        works: [one.operator('redrive'), one.deliver, other(one)],
        check: async () => expect(await one.sent()).toBeLessThanOrEqual(1),
      };
    };
    expect((await atOnce(begin, { most })).run).toBeGreaterThan(1);
  });
});
