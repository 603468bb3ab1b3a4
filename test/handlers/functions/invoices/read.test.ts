import { defined } from '../../../../functions/shared/contract/defined.ts';
import { hourMs, isoTime } from '../../../../functions/shared/runtime/clock.ts';
import { banking, call, good, goodClient, newSeller, type Tenant } from '../../../support/call.ts';
import {
  invoiceRecord,
  putSubscription,
  subscriptionRecord,
} from '../../../support/subscriptions/records.ts';

describe('an invoice', () => {
  async function withInvoice(more: Parameters<typeof invoiceRecord>[2] = {}) {
    const seller = await newSeller();
    const subscription = subscriptionRecord({ applicationId: seller.applicationId });
    const invoice = invoiceRecord(subscription, 1, more);
    await putSubscription(subscription, { invoices: [invoice] });
    return { seller, invoice };
  }
  const read = (seller: Tenant, id: string, accept?: string) =>
    call('invoices.read', {
      headers: { ...seller.headers, ...defined({ Accept: accept }) },
      params: { id },
    });

  test('shows decimal amounts and the bank account, and no stored attributes', async () => {
    const { seller, invoice } = await withInvoice({
      currency: 'KWD',
      totalMinor: 1_234,
      lines: [{ description: 'Pro', quantity: 2, amountMinor: 1_234 }],
      seller: { name: 'Example App', banking },
      periodStartMs: 1,
      periodEndMs: 2,
      paidAtMs: 3,
      reversed: true,
      checkoutId: 'cs_1',
      paymentId: 'pi_1',
    });
    const { status, body, headers } = await read(seller, invoice.invoiceId);
    expect([status, headers['content-type'], headers.vary]).toEqual([
      200,
      'application/json; charset=utf-8',
      'accept',
    ]);
    const { number, subscriptionId, paymentReference, issuedAtMs, dueAtMs } = invoice;
    expect(body.invoice).toEqual({
      _id: invoice.invoiceId,
      number,
      status: 'open',
      subscriptionId,
      currency: 'KWD',
      total: 1.234,
      amountPaid: 0,
      amountRefunded: 0,
      amountFromCredit: 0,
      amountToCredit: 0,
      amountCredited: 0,
      amountWrittenOff: 0,
      amountDue: 1.234,
      lines: [{ description: 'Pro', quantity: 2, amount: 1.234 }],
      periodStart: isoTime(1),
      periodEnd: isoTime(2),
      paymentReference,
      banking,
      issuedAt: isoTime(issuedAtMs),
      dueAt: isoTime(dueAtMs),
      paidAt: isoTime(3),
      reversed: true,
    });
  });

  test('is a page for browsers that only its own style sheet can affect', async () => {
    const { seller, invoice } = await withInvoice();
    const { status, headers, text } = await read(
      seller,
      invoice.invoiceId,
      'text/html,application/xml;q=0.9,*/*;q=0.8',
    );
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      vary: 'accept',
      'cache-control': 'no-store',
      'content-disposition': `inline; filename="${invoice.number}.html"`,
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(text).toContain(invoice.number);
  });

  test('is a PDF for callers that prefer one', async () => {
    const { seller, invoice } = await withInvoice();
    const { status, headers, text } = await read(seller, invoice.invoiceId, 'application/pdf');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      vary: 'accept',
      'content-disposition': `inline; filename="${invoice.number}.pdf"`,
    });
    expect(Buffer.from(text, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
  });
});

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
  const externalId = await seller.newClient(customer);
  const { subscription } = good(await seller.subscribe({ body: { externalId } }));
  const [invoice] = good(await seller.details(subscription._id)).subscription.invoices;
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

  test('is stated in the national currency of the seller too, when the invoice is in another one', async () => {
    const source = 'European Central Bank, 20 November 2026';
    const exchangeRates = [{ currency: 'USD', rate: 0.92155, source }];
    const tax = { rates, pricesInclude: 'exclusive', nationalCurrency: 'EUR', exchangeRates };
    const seller = await newSeller('none', { seller: legal, tax });
    const externalId = await seller.newClient({ address: address('FI') });
    const planId = await seller.newPlan({ price: 100, currency: 'USD' });
    const { subscription } = good(await seller.subscribe({ body: { externalId, planId } }));
    const [invoice] = good(await seller.details(subscription._id)).subscription.invoices;
    expect(invoice.nationalTax).toEqual({ currency: 'EUR', tax: 23.5, rate: 0.92155, source });
    const headers = { ...seller.headers, Accept: 'text/html' };
    const { text } = await call('invoices.read', { headers, params: { id: invoice._id } });
    expect(text).toContain('The tax in EUR (1 USD = EUR 0.92155, European Central Bank, 20 November 2026)');
    expect(text).toContain('EUR 23.50');
  });
});

test('the dates of an invoice are those of the time zone of the seller, on the document too', async () => {
  const seller = await newSeller('none', { timeZone: 'Pacific/Kiritimati' });
  const { subscription } = good(await seller.subscribe());
  const [{ _id: id, issuedAt }] = good(await seller.details(subscription._id)).subscription.invoices;
  const headers = { ...seller.headers, Accept: 'text/html' };
  const { text } = await call('invoices.read', { headers, params: { id } });
  // 14 hours ahead of UTC.
  const there = new Date(Date.parse(issuedAt) + 14 * hourMs);
  const day = there.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  expect(text).toContain(`<dt>Issued</dt><dd dir="auto">${day}</dd>`);
  expect(text).toContain('dates are in Pacific/Kiritimati');
});

describe('a VAT id', () => {
  test.each(['DE12345678', ''])('is refused in another form: %j', async (vatId) => {
    const seller = await newSeller();
    const request = { headers: seller.headers, body: goodClient({ vatId }) };
    expect((await call('clients.upsert', request)).status).toBe(400);
  });

  test('and the address of a client are returned, and stay when the next request omits them', async () => {
    const seller = await newSeller();
    const body = goodClient({ address: address('DE'), vatId: 'DE123456789' });
    const write = (more: object) => call('clients.upsert', { headers: seller.headers, body: more });
    expect(good(await write(body)).client).toMatchObject({ address: address('DE'), vatId: 'DE123456789' });
    const { externalId, email } = body;
    const { client } = good(await write({ externalId, email }));
    expect(client).toMatchObject({ address: address('DE'), vatId: 'DE123456789' });
  });
});

test('a plan of an application with exclusive prices is listed at its price, and invoiced with the tax', async () => {
  const seller = await newSeller('none', { seller: legal, tax: { rates, pricesInclude: 'exclusive' } });
  const planId = await seller.newPlan({ price: 100 });
  const externalId = await seller.newClient({ address: address('DE') });
  const { subscription } = good(await seller.subscribe({ body: { planId, externalId } }));
  const read = good(await seller.details(subscription._id)).subscription;
  expect([read.planId.price, read.invoices[0].total]).toEqual([100, 119]);
});
