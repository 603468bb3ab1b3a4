/** Revenue reports that take longer than a request. */
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { clock, isoTime } from '../../../../functions/shared/runtime/clock.ts';
import { minuteMs, secondMs } from '../../../../functions/shared/runtime/duration.ts';
import { listedStore } from '../../../../functions/subscriptions/lists/listed-store.ts';
import { type Answered, call } from '../../../support/call.ts';
import { engineFile, putListings } from '../../../support/finance/listings.ts';
import { putSubscriptionAlone } from '../../../support/finance/population.ts';
import { subscriptionRecord } from '../../../support/subscriptions/records.ts';
import { asSeller, newSeller } from '../../../support/subscriptions/requests.ts';
import type { Tenant } from '../../../support/tenants.ts';

const from = '2000-01-01';
const get = (seller: Tenant) =>
  call('finance.report-revenue', { headers: asSeller(seller), query: { from } });

/** Repeats the request until the report is prepared. @returns every response. */
async function fetched(seller: Tenant): Promise<[...Answered[], last: Answered]> {
  const answers: Answered[] = [];
  for (;;) {
    const answer = await get(seller);
    if (answer.status !== 202) return [...answers, answer];
    answers.push(answer);
    expect(answers.length).toBeLessThan(100);
  }
}

const records = ({ body }: Answered): number => body.records;

describe.runIf(engineFile)('a report over many records', () => {
  test('of 100,000 subscriptions is prepared and fetched, each request within the time of the gateway', async () => {
    const seller = await newSeller();
    await putListings(seller, { subscriptions: 100_000, nowMs: Date.now() });
    const answers = await fetched(seller);
    const { status, body } = answers.at(-1) ?? answers[0];
    expect(status).toBe(200);
    expect(body.report.subscriptions).toMatchObject({ new: 100_000, payingAtEnd: 100_000 });
    expect(body.report.currencies).toEqual([
      expect.objectContaining({
        recurring: expect.objectContaining({ start: 0, new: 999_000, end: 999_000 }),
        invoiced: 999_000,
        received: 99_900,
        outstanding: expect.objectContaining({ total: 99_900, notDue: 99_900 }),
      }),
    ]);
  });

  /** More than two pages of subscriptions. */
  const subscriptions = 25_000;
  let seller: Tenant;
  let nowMs: number;

  beforeAll(async () => {
    nowMs = Date.now();
    seller = await newSeller();
    await putListings(seller, { subscriptions, nowMs });
  });

  beforeEach(() => {
    // Each look at the clock takes longer than a request may work: a request counts one page. Former reports have expired.
    nowMs += 20 * minuteMs;
    const spy = vi.spyOn(clock, 'nowMs').mockImplementation(() => {
      nowMs += 6 * secondMs;
      return nowMs;
    });
    return () => spy.mockRestore();
  });

  test('says how much is counted and when to ask again, and is as of the time when it was begun', async () => {
    const [first, second, third] = await fetched(seller);
    expect(first?.status).toBe(202);
    expect(first?.headers['retry-after']).toBe('1');
    const { asOf } = first?.body ?? {};
    expect(first?.body).toEqual({ status: 'preparing', asOf, records: 10_000 + 10_000 + 2_500 });
    expect(second?.body).toEqual({ status: 'preparing', asOf, records: 20_000 + 20_000 + 2_500 });
    expect(third?.status).toBe(200);
    expect(third?.body.report).toMatchObject({
      asOf,
      to: asOf,
      subscriptions: { payingAtEnd: subscriptions },
    });
  });

  test('is counted once when it is asked for twice at once', async () => {
    await get(seller);
    const both = await Promise.all([get(seller), get(seller)]);
    expect(both.map(({ status }) => status)).toEqual([202, 202]);
    expect(both.map(records).toSorted()).toEqual([22_500, 42_500]);
    expect(both.map(({ headers }) => headers['retry-after']).toSorted()).toEqual(['1', '3']);
    const ready = await Promise.all([get(seller), get(seller)]);
    expect(ready.map(({ status }) => status).toSorted()).toEqual([200, 202]);
    expect((await get(seller)).body.report.subscriptions.payingAtEnd).toBe(subscriptions);
  });

  test('goes on after a request that died, once its lease has ended', async () => {
    await get(seller);
    const dies = vi.spyOn(listedStore, 'newestFirst').mockImplementation(() => {
      throw new Error('The function was killed');
    });
    expect((await get(seller)).status).toBe(500);
    dies.mockRestore();
    expect(records(await get(seller))).toBe(22_500);
    nowMs += 30 * secondMs;
    const answers = await fetched(seller);
    expect(answers.map(({ status }) => status)).toEqual([202, 200]);
    expect(answers.at(-1)?.body.report.subscriptions.payingAtEnd).toBe(subscriptions);
  });

  test('counts a record once that changes its status meanwhile, and none that was created meanwhile', async () => {
    const startMs = nowMs;
    const { applicationId } = seller;
    const own = (createdAtMs: number) =>
      subscriptionRecord({
        applicationId,
        createdAtMs,
        movements: [{ atMs: createdAtMs, kind: 'new', currency: 'EUR', monthlyMinor: 999 }],
      });
    const counted = own(startMs - minuteMs);
    const notCounted = own(Date.UTC(2010, 0));
    await Promise.all([counted, notCounted].map(putSubscriptionAlone));
    await get(seller);
    for (const one of [counted, notCounted]) await putSubscriptionAlone({ ...one, status: 'past_due' });
    await putSubscriptionAlone(own(startMs + minuteMs));
    const answers = await fetched(seller);
    expect(answers.at(-1)?.body.report.subscriptions.payingAtEnd).toBe(subscriptions + 2);
  });

  test('is returned as it was prepared for 15 minutes, and is then prepared again', async () => {
    const [first] = await fetched(seller);
    const { asOf } = first?.body ?? {};
    nowMs += 14 * minuteMs;
    expect((await get(seller)).body.report.asOf).toBe(asOf);
    nowMs += minuteMs;
    const again = await get(seller);
    expect(again.status).toBe(202);
    expect(again.body.asOf).toBe(isoTime(nowMs - 12 * secondMs));
  });

  test('is nothing that another application sees', async () => {
    await get(seller);
    const other = await get(await newSeller());
    expect([other.status, other.body.report.currencies]).toEqual([200, []]);
  });
});
