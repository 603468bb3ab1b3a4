/** The verbs that find a record of one kind, against the lists and reads that an operator key may request. */
import { type Subscriber, subscriptionClient } from '../../../support/subscriptions/stack.ts';
import { localOperator } from './program.ts';

let operator: Awaited<ReturnType<typeof localOperator>>;
let seller: Subscriber;
let planId: string;
/** The client of the first application, which has two subscriptions in the end. */
let subscriptionId: string;

beforeAll(async () => {
  operator = await localOperator();
  const client = subscriptionClient(operator.env.VOUCHSAFE_URL);
  seller = await client.application({ paymentGateway: 'none' }, 'Found');
  planId = await seller.plan();
  await seller.client('anna');
  ({ id: subscriptionId } = await seller.subscribe('anna', planId));
});

const find = (kind: string, text: string, ...more: string[]) => operator.json([kind, 'find', text, ...more]);

test('a record that an operator key can read is shown whole', async () => {
  const { application } = await find('application', seller._id);
  expect(application).toMatchObject({ _id: seller._id, keys: expect.any(Array) });
  const paid = ['--id', 'found-1', '--amount', '1', '--currency', 'EUR', '--reference', 'none'];
  const { payment } = await operator.json(['payment', 'record', seller._id, ...paid]);
  const found = await find('payment', payment._id, '--application', seller._id);
  expect(found.payment).toMatchObject({ _id: payment._id, amount: 1, status: 'unapplied' });
});

test('a subscription is found by its reference number, and shown with its invoices and timeline', async () => {
  const { referenceNumber } = await seller.read(subscriptionId);
  const { subscription } = await find('subscription', ` ${referenceNumber.toLowerCase()} `);
  expect(subscription).toMatchObject({ _id: subscriptionId, status: 'pending', referenceNumber });
  expect([subscription.invoices.length, subscription.timeline.length]).toEqual([1, 1]);
  const shown = await operator.run(['subscription', 'find', referenceNumber]);
  expect([shown.code, shown.err]).toEqual([0, '']);
  expect(shown.out).toMatch(/^Subscription\n(.*\n)*? {2}ID +sub_/);
});

test('the name of a client finds their subscriptions and their invoices', async () => {
  const ofSeller = ['--application', seller._id];
  const { subscriptions } = await find('subscription', 'anna', ...ofSeller);
  expect(subscriptions).toMatchObject([{ _id: subscriptionId }]);
  const { invoices } = await find('invoice', 'anna', ...ofSeller);
  expect(invoices).toMatchObject([{ subscriptionId }]);
  const { invoice } = await find('invoice', invoices[0]._id);
  expect(invoices[0]).toMatchObject(invoice);
  const { plan } = await find('plan', planId, '--application', seller._id);
  expect(plan).toMatchObject({ _id: planId, name: 'Plan', price: expect.any(Number) });
});

test('a kind that no operator key can read is shown as the search has it', async () => {
  const hit = await find('client', 'anna', '--application', seller._id);
  expect(hit).toMatchObject({ kind: 'client', id: 'anna' });
});

test.each([
  ['subscription', 'sub_'],
  ['subscription', 'anna'],
  ['user', '*'],
])('%s find %j, which names nothing, ends with 3', async (kind, text) => {
  const { code, out, err } = await operator.run([kind, 'find', text, '--json']);
  expect([code, out]).toEqual([3, '']);
  expect(JSON.parse(err).error).toMatchObject({ code: 'not_found', next: expect.stringContaining('search') });
});
