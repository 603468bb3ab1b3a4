import { describe, expect, test } from 'vitest';
import { defined } from '../../../../../functions/shared/contract/defined.ts';
import { call } from '../../../../support/call.ts';
import {
  asSeller,
  details,
  good,
  goodClient,
  newClient,
  newPlan,
  newSeller,
  subscribe,
} from '../../../../support/subscriptions/requests.ts';

const address = (country: string) => ({ line1: 'Main Street 1', postalCode: '10115', city: 'Town', country });
const legal = { legalName: 'Acme Notes Oy', address: address('FI'), vatId: 'FI12345671' };
const rates = [
  { country: 'FI', percent: 25.5 },
  { country: 'DE', percent: 19, name: 'USt' },
  { country: 'CH', percent: 0, exemption: 'Article 44 of Directive 2006/112/EC' },
];

/** The first invoice of a client in a country, of a plan of 9.99 EUR. */
async function invoiceFor(customer: object, tax: object | undefined) {
  const seller = await newSeller('none', defined({ seller: legal, tax }));
  const externalId = await newClient(seller, customer);
  const { subscription } = good(await subscribe(seller, { body: { externalId } }));
  const [invoice] = good(await details(seller, subscription._id)).subscription.invoices;
  return invoice;
}

describe('the tax of an invoice', () => {
  test('is a part of a price that includes it, at the rate of the country of the customer', async () => {
    const invoice = await invoiceFor({ address: address('FI') }, { rates, pricesInclude: 'inclusive' });
    // 9.99 × 25.5 / 125.5 = 2.0298…
    expect(invoice).toMatchObject({
      total: 9.99,
      pricesInclude: 'inclusive',
      taxes: [{ name: 'VAT', country: 'FI', percent: 25.5, taxable: 7.96, tax: 2.03 }],
      seller: { name: 'Acme Notes Oy', vatId: 'FI12345671' },
      customer: { address: { country: 'FI' } },
    });
  });
});

describe('a VAT id', () => {
  test.each(['DE12345678', ''])('is refused in another form: %j', async (vatId) => {
    const seller = await newSeller();
    const request = { headers: asSeller(seller), body: goodClient({ vatId }) };
    expect((await call('subscriptions.client-upsert', request)).status).toBe(400);
  });

  test('and the address of a client are returned, and stay when the next request omits them', async () => {
    const seller = await newSeller();
    const body = goodClient({ address: address('DE'), vatId: 'DE123456789' });
    const write = (more: object) =>
      call('subscriptions.client-upsert', { headers: asSeller(seller), body: more });
    expect(good(await write(body)).client).toMatchObject({ address: address('DE'), vatId: 'DE123456789' });
    const { externalId, email } = body;
    const { client } = good(await write({ externalId, email }));
    expect(client).toMatchObject({ address: address('DE'), vatId: 'DE123456789' });
  });
});

test('a plan of an application with exclusive prices is listed at its price, and invoiced with the tax', async () => {
  const seller = await newSeller('none', { seller: legal, tax: { rates, pricesInclude: 'exclusive' } });
  const planId = await newPlan(seller, { price: 100 });
  const externalId = await newClient(seller, { address: address('DE') });
  const { subscription } = good(await subscribe(seller, { body: { planId, externalId } }));
  const read = good(await details(seller, subscription._id)).subscription;
  expect([read.planId.price, read.invoices[0].total]).toEqual([100, 119]);
});
