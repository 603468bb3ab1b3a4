/**
 * A revenue report that takes more than one request, of few records on small pages. `npm run bench -- lists finance` prepares one
 * of 100,000 subscriptions.
 */

import { reportRevenue } from '../../../../functions/reports/revenue-read.ts';
import { revenueReadRoute as reportRevenueRoute } from '../../../../functions/reports/routes.ts';
import { sellerCaller } from '../../../../functions/shared/auth/bearer.ts';
import { endpoint } from '../../../../functions/shared/lambda/endpoint.ts';
import { listedStore } from '../../../../functions/shared/lists/listed-store.ts';
import { clock, dayMs, isoTime, minuteMs, secondMs } from '../../../../functions/shared/runtime/clock.ts';
import {
  type Answered,
  newSeller,
  noonMs,
  onTestClock,
  proxyEvent,
  read,
  registered,
  type Tenant,
} from '../../../support/call.ts';
import {
  paymentRecord,
  putInvoice,
  putPayment,
  putSubscriptionAlone,
} from '../../../support/lists/population.ts';
import { invoiceRecord, subscriptionRecord } from '../../../support/subscriptions/records.ts';

onTestClock();

const pageEntries = 10;
/** More than two pages of subscriptions, with an invoice each, and less than one of payments. */
const subscriptions = 25;
const handler = endpoint(
  reportRevenueRoute,
  (input: Parameters<typeof reportRevenue>[0]) => reportRevenue(input, pageEntries),
  sellerCaller,
);
const get = async (one: Tenant): Promise<Answered> => {
  const request = { headers: one.headers, query: { from: '2000-01-01' } };
  return read(await handler(proxyEvent(registered('reports.revenue-read'), request)));
};

let seller: Tenant;
let nowMs = noonMs;
const own = (createdAtMs: number) =>
  subscriptionRecord({
    applicationId: seller.applicationId,
    createdAtMs,
    movements: [{ atMs: createdAtMs, kind: 'new', currency: 'EUR', monthlyMinor: 999 }],
  });

beforeAll(async () => {
  seller = await newSeller();
  const made = Array.from({ length: subscriptions }, (_, i) => own(nowMs - dayMs - i * secondMs));
  const issuedAtMs = nowMs - dayMs;
  await Promise.all([
    ...made.map(putSubscriptionAlone),
    ...made.map((one) => putInvoice(invoiceRecord(one, 1, { status: 'paid', issuedAtMs }))),
    ...[1, 2, 3].map(() => putPayment(paymentRecord(seller, { recordedAtMs: issuedAtMs }))),
  ]);
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

/** Repeats the request until the report is prepared. */
async function fetched(): Promise<[...Answered[], last: Answered]> {
  const answers: Answered[] = [];
  for (;;) {
    const answer = await get(seller);
    if (answer.status !== 202) return [...answers, answer];
    answers.push(answer);
    expect(answers.length).toBeLessThan(10);
  }
}
const records = ({ body }: Answered): number => body.records;
const payingAtEnd = (answers: Answered[]) => answers.at(-1)?.body.report.subscriptions.payingAtEnd;

test('a report over many records says how much is counted and when to ask again, and is as of the time when it was begun', async () => {
  const [first, second, third] = await fetched();
  expect(first?.status).toBe(202);
  expect(first?.headers['retry-after']).toBe('1');
  const { asOf } = first?.body ?? {};
  expect(first?.body).toEqual({ status: 'preparing', asOf, records: 10 + 10 + 3 });
  expect(second?.body).toEqual({ status: 'preparing', asOf, records: 20 + 20 + 3 });
  expect(third?.body.report).toMatchObject({
    asOf,
    to: asOf,
    subscriptions: { new: subscriptions, payingAtEnd: subscriptions },
    currencies: [{ recurring: { new: 249.75, end: 249.75 }, invoiced: 249.75, received: 29.97 }],
  });
});

test('a report over many records is counted once when it is asked for twice at once', async () => {
  await get(seller);
  const both = await Promise.all([get(seller), get(seller)]);
  expect(both.map(({ status }) => status)).toEqual([202, 202]);
  expect(both.map(records).toSorted()).toEqual([23, 43]);
  expect(both.map(({ headers }) => headers['retry-after']).toSorted()).toEqual(['1', '3']);
  const ready = await Promise.all([get(seller), get(seller)]);
  expect(ready.map(({ status }) => status).toSorted()).toEqual([200, 202]);
  expect(payingAtEnd([await get(seller)])).toBe(subscriptions);
});

test('a report over many records goes on after a request that died, once its lease has ended', async () => {
  await get(seller);
  const dies = vi.spyOn(listedStore, 'newestFirst').mockImplementation(() => {
    throw new Error('The function was killed');
  });
  expect((await get(seller)).status).toBe(500);
  dies.mockRestore();
  expect(records(await get(seller))).toBe(23);
  nowMs += 30 * secondMs;
  const answers = await fetched();
  expect(answers.map(({ status }) => status)).toEqual([202, 200]);
  expect(payingAtEnd(answers)).toBe(subscriptions);
});

test('a report over many records is returned as it was prepared for 15 minutes, and is then prepared again', async () => {
  const { asOf } = (await fetched())[0]?.body ?? {};
  nowMs += 14 * minuteMs;
  expect((await get(seller)).body.report.asOf).toBe(asOf);
  nowMs += minuteMs;
  const again = await get(seller);
  expect([again.status, again.body.asOf]).toEqual([202, isoTime(nowMs - 12 * secondMs)]);
  const other = await get(await newSeller());
  expect([other.status, other.body.report.currencies]).toEqual([200, []]);
});

test('a report over many records counts a record once that changes its status meanwhile, and none that was created meanwhile', async () => {
  const startMs = nowMs;
  const counted = own(startMs - minuteMs);
  const notCounted = own(Date.UTC(2010, 0));
  await Promise.all([counted, notCounted].map(putSubscriptionAlone));
  await get(seller);
  for (const one of [counted, notCounted])
    await putSubscriptionAlone(subscriptionRecord({ ...one, status: 'past_due' }));
  await putSubscriptionAlone(own(startMs + minuteMs));
  expect(payingAtEnd(await fetched())).toBe(subscriptions + 2);
});
