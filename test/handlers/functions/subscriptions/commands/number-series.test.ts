import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { minuteMs } from '../../../../../functions/shared/runtime/clock.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { handler as runStep } from '../../../../../functions/subscriptions/run-step.ts';
import { daysLater, good, inputFor, newSeller, onTestClock, type Tenant } from '../../../../support/call.ts';
import { failTable } from '../../../../support/faults.ts';
import { storedSubscription } from '../../../../support/subscriptions/stored-state.ts';

onTestClock();
const ownSeries = { invoices: { numbering: 'seller', invoicePrefix: 'A-', renewalDays: 7 } };

/** The numbers of all invoices of these subscriptions. */
async function numbersOf(seller: Tenant, ids: readonly string[]): Promise<string[]> {
  const read = await Promise.all(ids.map(async (id) => good(await seller.details(id)).subscription.invoices));
  return read.flat().map(({ number }) => number as string);
}

const isTransaction = (command: string) => command.startsWith('TransactWrite');

/** The limit of requests counts by the clock. */
const minuteLater = () => vi.setSystemTime(Date.now() + minuteMs);

const each = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make));

const numbers = (count: number) =>
  Array.from({ length: count }, (_, i) => `A-${String(i + 1).padStart(6, '0')}`);

async function newSubscription(seller: Tenant, planId: string): Promise<string> {
  const externalId = await seller.newClient();
  return good(await seller.subscribe({ body: { planId, externalId } })).subscription._id;
}

describe("the seller's series of numbers", () => {
  test('has no gap and no number twice, when subscriptions renew and others begin at once', async () => {
    const seller = await newSeller('none', ownSeries);
    const planId = await seller.newPlan();
    const renewing = await each(5, () => seller.newClient());
    minuteLater();
    const beginning = await each(5, () => seller.newClient());
    minuteLater();
    const begin = async (externalId: string) =>
      good(await seller.subscribe({ body: { planId, externalId } })).subscription._id as string;
    const first = await Promise.all(renewing.map(begin));
    minuteLater();
    await Promise.all(first.map(async (id) => good(await seller.act('activate', id))));
    daysLater(24);
    const stored = await Promise.all(renewing.map((externalId) => storedSubscription(seller, externalId)));
    const [second] = await Promise.all([
      Promise.all(beginning.map(begin)),
      ...stored.map(({ subscription }) => runStep(inputFor(subscription))),
    ]);
    minuteLater();
    const all = await numbersOf(seller, [...first, ...second]);
    expect(all.toSorted()).toEqual(numbers(15));
    expect(await getItem(keys.invoiceSeries(seller.applicationId))).toMatchObject({ invoices: 15 });
  });

  test('gives no number to a transaction that dies', async () => {
    const seller = await newSeller('none', ownSeries);
    const planId = await seller.newPlan();
    const before = await newSubscription(seller, planId);
    const externalId = await seller.newClient();
    const fault = failTable((command) =>
      isTransaction(command) ? new Error('The process died') : undefined,
    );
    try {
      expect((await seller.subscribe({ body: { planId, externalId } })).status).toBe(500);
    } finally {
      fault.restore();
    }
    const after = await newSubscription(seller, planId);
    expect(await numbersOf(seller, [before, after])).toEqual(numbers(2));
  });

  test('is another one for each seller, and none for a subscription without the setting', async () => {
    const seller = await newSeller('none', ownSeries);
    const other = await newSeller();
    const [mine, theirs] = await Promise.all([
      newSubscription(seller, await seller.newPlan()),
      newSubscription(other, await other.newPlan()),
    ]);
    expect(await numbersOf(seller, [mine])).toEqual(numbers(1));
    expect(await numbersOf(other, [theirs])).toEqual([expect.stringMatching(/^INV-[0-9A-Z]{8}-1$/)]);
    expect(await getItem(keys.invoiceSeries(other.applicationId))).toBeUndefined();
  });
});
