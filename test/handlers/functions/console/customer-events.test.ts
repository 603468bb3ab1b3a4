import * as keys from '../../../../functions/shared/contract/keys.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { eventStore } from '../../../../functions/webhooks/events/store.ts';
import { call, good, newSeller, putItem } from '../../../support/call.ts';
import { signedIn } from '../../../support/samples/console.ts';
import { type Customer, newCustomer, openCustomer } from '../../../support/samples/customers.ts';
import { goodPayment, recordPayment } from '../../../support/samples/finance.ts';

let headers: Awaited<ReturnType<typeof signedIn>>;
beforeAll(async () => {
  headers = await signedIn('finance', 'support');
});

/** The bodies of the events that the page of a subscription shows, latest first. */
async function shownEvents({ params }: Pick<Customer, 'params'>): Promise<{ type: string; id: string }[]> {
  const { text } = await openCustomer(headers, { params });
  const table = text.slice(text.indexOf('<caption>Events</caption>'));
  return [...table.matchAll(/<p class="sent">(.*?)<\/p>/gs)].map(([, body = '']) =>
    JSON.parse(
      body.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
    ),
  );
}

describe('the events on the page of a subscription', () => {
  test('are those of its changes, latest change first, with the body that webhooks get', async () => {
    const customer = await newCustomer('active');
    const { seller, id } = customer;
    good(await seller.act('cancel', id));
    const shown = await shownEvents(customer);
    expect(shown.map(({ type }) => type)).toEqual([
      'subscription.cancelled',
      'subscription.activated',
      'invoice.paid',
      'payment.received',
      'payment.applied',
      'subscription.created',
      'invoice.issued',
    ]);
    for (const event of shown) {
      const read = await call('webhooks.event-read', { headers: seller.headers, params: { id: event.id } });
      expect({ event }).toEqual(good(read));
    }
  });

  test('are those of one subscription, also when a transaction changes two', async () => {
    const seller = await newSeller();
    const externalId = await seller.newClient();
    const first = good(await seller.subscribe({ body: { externalId } })).subscription._id;
    const second = good(await seller.subscribe({ body: { externalId } })).subscription._id;
    const { applicationId } = seller;
    const typesOf = async (subscriptionId: string) =>
      (await shownEvents({ params: { applicationId, subscriptionId } })).map(({ type }) => type);
    expect([await typesOf(first), await typesOf(second)]).toEqual([
      ['subscription.cancelled', 'invoice.voided', 'subscription.created', 'invoice.issued'],
      ['subscription.created', 'invoice.issued'],
    ]);
  });

  test('of a payment are those of the subscription that had it, also when another one ends that', async () => {
    const seller = await newSeller();
    const externalId = await seller.newClient();
    const first = good(await seller.subscribe({ body: { externalId } })).subscription;
    const part = goodPayment({ reference: first.referenceNumber, amount: 3 });
    good(await recordPayment(seller, part));
    const second = good(await seller.subscribe({ body: { externalId } })).subscription;
    const { applicationId } = seller;
    const paymentsOf = async ({ _id: subscriptionId }: { _id: string }) =>
      (await shownEvents({ params: { applicationId, subscriptionId } }))
        .map(({ type }) => type)
        .filter((type) => type.startsWith('payment.'));
    expect([await paymentsOf(first), await paymentsOf(second)]).toEqual([
      ['payment.applied', 'payment.received', 'payment.applied'],
      [],
    ]);
  });

  test('keep each character, and show those that are invisible', async () => {
    const customer = await newCustomer('active');
    const [event] = await shownEvents(customer);
    const key = keys.events(event?.id.slice(0, -1) ?? '');
    const [stored] = await eventStore.get([event?.id.slice(0, -1) ?? '']);
    if (stored === undefined) throw new Error('no event');
    const text = 'two  blanks\u00a0and\u202e\u{E0041}\nlines <b>';
    const data = JSON.stringify({ text });
    await putItem(
      Object.assign({}, await getItem(key), { events: stored.events.map((one) => ({ ...one, data })) }),
    );
    const { text: page } = await openCustomer(headers, customer);
    expect(page).toContain('two  blanks\u00a0and\\u202e\\udb40\\udc41\\nlines &lt;b&gt;');
    expect((await shownEvents(customer))[0]).toMatchObject({ data: { text } });
  });

  test('are left out once they are no longer kept', async () => {
    const customer = await newCustomer('active');
    const [event] = await shownEvents(customer);
    const key = keys.events(event?.id.slice(0, -1) ?? '');
    await putItem(Object.assign({}, await getItem(key), { createdAtMs: Date.now() - 31 * dayMs }));
    const shown = await shownEvents(customer);
    expect(shown.map(({ id }) => id)).not.toContain(event?.id);
  });
});
