import { good, newSeller, tokenOf } from '../../../support/call.ts';
import { choose, newPayable, openPage } from '../../../support/subscriptions/payable-invoices.ts';
import { storedSubscription } from '../../../support/subscriptions/stored-state.ts';

describe('an activation that names an invoice', () => {
  test('changes nothing for a paid invoice, and finds none of another subscription of the client', async () => {
    const seller = await newSeller();
    const { id, externalId } = await seller.subscribed('active');
    const { invoices } = await storedSubscription(seller, externalId);
    const invoiceId = invoices[0]?.invoiceId;
    expect((await seller.act('activate', id, { invoiceId })).status).toBe(200);
    const second = await seller.subscribed();
    expect((await seller.act('activate', second.id, { invoiceId })).status).toBe(404);
  });

  test('is refused for a void invoice', async () => {
    const seller = await newSeller();
    const { id, externalId } = await seller.subscribed();
    good(await seller.act('cancel', id));
    const { invoices } = await storedSubscription(seller, externalId);
    const response = await seller.act('activate', id, { invoiceId: invoices[0]?.invoiceId });
    expect([response.status, response.body.error]).toEqual([409, 'invalid_transition']);
  });
});

test.each(['a#b%23/../', '\u0000', '__proto__', '字'.repeat(128), 'SUB#'])(
  'an externalId of %j works and is a client of its own',
  async (externalId) => {
    const seller = await newSeller();
    await seller.newClient({ externalId });
    const { subscription } = good(await seller.subscribe({ body: { externalId } }));
    expect(good(await seller.current(externalId)).subscription).toMatchObject({
      _id: subscription._id,
      externalId,
    });
    good(await seller.act('activate', subscription._id));
    expect(good(await seller.details(subscription._id)).subscription.externalId).toBe(externalId);
    expect((await seller.current(`${externalId.slice(0, 100)}x`)).status).toBe(404);
  },
);

test.each(['https://пример.example/спасибо?q=😀#€', "https://a'b.example/,;script-src *"])(
  'a return URL of %s becomes a valid HTTP header',
  async (successUrl) => {
    const seller = await newSeller('sandbox');
    const response = await seller.subscribe({ body: { successUrl } });
    if (response.status === 400) return;
    const token = tokenOf(good(response).checkoutUrl);
    const page = await openPage(token);
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).not.toContain('script-src');
    expect(page.headers['content-security-policy']?.match(/form-action/g)).toHaveLength(1);
    for (const value of Object.values(page.headers)) expect(value).toMatch(/^[\t\x20-\x7e]*$/);
    const paid = await choose(token, 'pay');
    expect(paid.status).toBe(303);
    for (const value of Object.values(paid.headers)) expect(value).toMatch(/^[\t\x20-\x7e]*$/);
  },
);

test('a checkout token that is longer, shorter, re-encoded or of another invoice is refused', async () => {
  const [one, two] = await Promise.all([newPayable('sandbox'), newPayable('sandbox')]);
  const mac = one.token.split('.')[1] ?? '';
  const tries = [
    `${two.invoice.invoiceId}.${mac}`,
    `${one.token}A`,
    one.token.slice(0, -1),
    one.token.toLowerCase(),
    `${one.token}=`,
    `.${mac}`,
    one.invoice.invoiceId,
    `${one.invoice.invoiceId}.`,
    `x.${one.token}`,
    `${one.invoice.invoiceId}.${'é'.repeat(11)}`,
    '__proto__.x',
  ];
  for (const token of tries) expect((await openPage(token)).status, token).toBe(404);
  expect((await openPage(one.token)).status).toBe(200);
});
