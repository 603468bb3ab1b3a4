import { describe, expect, test } from 'vitest';
import { defined } from '../../../../../functions/shared/contract/defined.ts';
import { hasVatIdForm } from '../../../../../functions/shared/fields/vat-id.ts';
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

  test('is added to a price that does not include it, and is part of what is owed', async () => {
    const invoice = await invoiceFor({ address: address('DE') }, { rates, pricesInclude: 'exclusive' });
    // 9.99 × 0.19 = 1.8981
    expect(invoice.total).toBe(11.89);
    expect(invoice.taxes).toEqual([{ name: 'USt', country: 'DE', percent: 19, taxable: 9.99, tax: 1.9 }]);
    expect(invoice.lines).toEqual([{ description: expect.any(String), quantity: 1, amount: 9.99 }]);
  });

  test('is owed by a customer with a VAT id in another member state: there is none on the invoice', async () => {
    const customer = { address: address('DE'), vatId: 'DE123456789' };
    const invoice = await invoiceFor(customer, { rates, pricesInclude: 'exclusive', reverseCharge: true });
    expect(invoice).toMatchObject({ total: 9.99, reverseCharge: true, customer: { vatId: 'DE123456789' } });
    expect(invoice.taxes).toBeUndefined();
  });

  test.each([
    ['without a VAT id', { address: address('DE') }],
    ['in the country of the seller', { address: address('FI'), vatId: 'FI12345671' }],
  ])('is charged to a customer %s', async (_, customer) => {
    const invoice = await invoiceFor(customer, { rates, pricesInclude: 'exclusive', reverseCharge: true });
    expect(invoice.taxes).toHaveLength(1);
    expect(invoice.reverseCharge).toBeUndefined();
  });

  test.each([
    ['without an address', {}, { rates }],
    ['in a country without a rate', { address: address('JP') }, { rates }],
    ['of an application without tax settings', { address: address('DE') }, undefined],
  ])('does not exist for a customer %s', async (_, customer, tax) => {
    const invoice = await invoiceFor(customer, tax);
    expect(invoice.total).toBe(9.99);
    for (const field of ['taxes', 'pricesInclude', 'reverseCharge']) expect(invoice[field]).toBeUndefined();
  });

  test('at a rate of 0 names the exemption', async () => {
    const invoice = await invoiceFor({ address: address('CH') }, { rates });
    expect(invoice.taxes).toEqual([
      { name: 'VAT', country: 'CH', percent: 0, taxable: 9.99, tax: 0, exemption: rates[2]?.exemption },
    ]);
  });
});

describe('a VAT id', () => {
  test.each([
    'DE123456789',
    'ATU12345678',
    'FR1X123456789',
    'NL123456789B01',
    'ELN',
    'EL123456789',
    'CHE-123.456.789',
  ])('has a form, by the country of its prefix: %s', (text) =>
    expect(hasVatIdForm(text)).toBe(text !== 'ELN'),
  );

  test.each(['DE12345678', 'DE 123456789', 'de123456789', '123456789', 'AT12345678', ''])(
    'is refused in another form: %j',
    async (vatId) => {
      const seller = await newSeller();
      const request = { headers: asSeller(seller), body: goodClient({ vatId }) };
      expect((await call('subscriptions.client-upsert', request)).status).toBe(400);
    },
  );

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
