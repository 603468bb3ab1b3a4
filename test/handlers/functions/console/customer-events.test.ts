import { beforeAll, describe, expect, test } from 'vitest';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { call } from '../../../support/call.ts';
import { signedIn } from '../../../support/samples/console.ts';
import { type Customer, newCustomer, openCustomer } from '../../../support/samples/customers.ts';
import { putItem } from '../../../support/stored-items.ts';
import {
  act,
  asSeller,
  good,
  newClient,
  newSeller,
  subscribe,
} from '../../../support/subscriptions/requests.ts';

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
    good(await act(seller, 'cancel', id));
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
      const read = await call('webhooks.event-read', { headers: asSeller(seller), params: { id: event.id } });
      expect({ event }).toEqual(good(read));
    }
  });

  test('are those of one subscription, also when a transaction changes two', async () => {
    const seller = await newSeller();
    const externalId = await newClient(seller);
    const first = good(await subscribe(seller, { body: { externalId } })).subscription._id;
    const second = good(await subscribe(seller, { body: { externalId } })).subscription._id;
    const { applicationId } = seller;
    const typesOf = async (subscriptionId: string) =>
      (await shownEvents({ params: { applicationId, subscriptionId } })).map(({ type }) => type);
    expect([await typesOf(first), await typesOf(second)]).toEqual([
      ['subscription.cancelled', 'invoice.voided', 'subscription.created', 'invoice.issued'],
      ['subscription.created', 'invoice.issued'],
    ]);
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
