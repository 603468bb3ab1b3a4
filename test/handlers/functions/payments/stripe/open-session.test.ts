import { closeCheckout } from '../../../../../functions/payments/stripe/expire-session.ts';
import { expiry } from '../../../../../functions/payments/stripe/open-session.ts';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { dayMs, hourMs } from '../../../../../functions/shared/runtime/clock.ts';
import { updateItem } from '../../../../support/call.ts';
import { StripeApi } from '../../../../support/payments/stripe-api.ts';
import {
  heading,
  type NewPayable,
  newPayable,
  now,
  openPage,
} from '../../../../support/subscriptions/payable-invoices.ts';

let stripe: StripeApi;
beforeAll(async () => {
  stripe = await StripeApi.start();
});
afterEach(() => {
  stripe.faults.length = 0;
  vi.useRealTimers();
  vi.restoreAllMocks();
});
afterAll(() => stripe.stop());

async function stripePayable(
  more: Parameters<typeof newPayable>[1] = {},
  hasKeys = true,
): Promise<NewPayable> {
  const payable = await newPayable('stripe', more);
  if (hasKeys) stripe.keysOf(payable.tenant.applicationId);
  return payable;
}

const sessionIdOf = async (payable: NewPayable) => (await now(payable)).invoice.checkoutId ?? '';
const close = ({ invoice: { applicationId, subscriptionId, n } }: NewPayable) =>
  closeCheckout({ applicationId, subscriptionId, invoiceN: n }, Date.now());
const madeFor = ({ invoice }: NewPayable) =>
  stripe.sessions.requests.filter((body) => body.includes(`client_reference_id=${invoice.invoiceId}`));
const openFor = ({ invoice }: NewPayable) =>
  [...stripe.sessions.all.values()].filter(
    ({ metadata, status }) => metadata.invoiceId === invoice.invoiceId && status === 'open',
  );
const setInvoice = ({ invoice }: NewPayable, status: string) =>
  updateItem(keys.invoice(invoice.subscriptionId, invoice.n), {
    UpdateExpression: 'SET #status = :status',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': status },
  });

describe('a payment at Stripe', () => {
  test('redirects to a checkout with product, customer and return URLs', async () => {
    const payable = await stripePayable();
    const { status, headers } = await openPage(payable.token);
    const session = stripe.sessions.get(await sessionIdOf(payable));
    expect([status, headers.location]).toEqual([303, session.url]);
    const { applicationId, subscriptionId, invoiceId, number } = payable.invoice;
    const metadata = { applicationId, subscriptionId, invoiceId };
    expect(session.metadata).toEqual(metadata);
    expect(session.sent).toMatchObject({
      mode: 'payment',
      customer_email: 'ann@example.com',
      client_reference_id: invoiceId,
      success_url: 'https://app.example/thanks',
      cancel_url: 'https://app.example/plans',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'eur',
      'line_items[0][price_data][unit_amount]': '999',
      'line_items[0][price_data][product_data][name]': 'Pro',
      'line_items[0][price_data][product_data][description]': `Invoice ${number}`,
      'payment_intent_data[metadata][applicationId]': applicationId,
      'payment_intent_data[metadata][invoiceId]': invoiceId,
      'payment_intent_data[metadata][subscriptionId]': subscriptionId,
    });
    expect(session.expires_at * 1_000).toBeLessThanOrEqual(payable.subscription.paymentDeadlineMs ?? 0);
  });

  test('returns to the page of the invoice, and offers no way back before, without return URLs', async () => {
    const payable = await stripePayable();
    const { subscriptionId, externalId, applicationId } = payable.subscription;
    await updateItem(keys.subscription(applicationId, externalId, subscriptionId), {
      UpdateExpression: 'REMOVE successUrl, cancelUrl',
    });
    await openPage(payable.token);
    const { sent } = stripe.sessions.get(await sessionIdOf(payable)) ?? {};
    expect(sent).toMatchObject({ success_url: `https://api.test/test/checkout/${payable.token}` });
    expect(sent).not.toHaveProperty('cancel_url');
  });

  test('redirects five concurrent visits to one checkout, and leaves no other open', async () => {
    const payable = await stripePayable();
    const responses = await Promise.all(Array.from({ length: 5 }, () => openPage(payable.token)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([303]));
    expect(new Set(responses.map(({ headers }) => headers.location)).size).toBe(1);
    expect(openFor(payable)).toHaveLength(1);
  });

  test('redirects two concurrent visits in different hours to one checkout, and closes the other', async () => {
    const payable = await stripePayable({ subscription: { paymentDeadlineMs: Date.now() + 2 * dayMs } });
    // Both requests have read that there is no session yet; the second read is simulated.
    const { openCheckout } = await import('../../../../../functions/payments/stripe/open-session.ts');
    const { checkoutSessions } = await import('../../../../../functions/payments/stripe/sessions.ts');
    const { checkoutStore } = await import('../../../../../functions/payments/checkout/store.ts');
    const { secretKey, webhookSecret, url: apiUrl } = stripe;
    const deps = (atMs: number) => ({
      sessions: checkoutSessions({ secretKey, webhookSecret, apiUrl }),
      store: checkoutStore,
      returnTo: 'https://api.test/',
      nowMs: atMs,
    });
    const seen = await now(payable);
    const first = await openCheckout(seen, deps(Date.now()));
    const second = await openCheckout(seen, deps(Date.now() - 2 * hourMs));
    expect(second).toEqual(first);
    expect([madeFor(payable).length, openFor(payable).length]).toEqual([2, 1]);
  });

  test('gets a new checkout after the first has expired', async () => {
    const payable = await stripePayable({ subscription: { status: 'past_due' } });
    const first = await openPage(payable.token);
    vi.setSystemTime(Date.now() + dayMs);
    const second = await openPage(payable.token);
    expect([second.status, madeFor(payable).length]).toEqual([303, 2]);
    expect(second.headers.location).not.toBe(first.headers.location);
    expect((await openPage(payable.token)).headers.location).toBe(second.headers.location);
  });

  test('shows that it is under way when it was made and its event has not arrived yet', async () => {
    const payable = await stripePayable();
    await openPage(payable.token);
    for (const state of ['paid', 'processing'] as const) {
      stripe.sessions.pay(await sessionIdOf(payable), state);
      const response = await openPage(payable.token);
      expect([response.status, heading(response)]).toEqual([200, 'Your payment is under way']);
    }
    expect(madeFor(payable)).toHaveLength(1);
  });

  test('can be retried when a debit failed after the checkout', async () => {
    const payable = await stripePayable();
    await openPage(payable.token);
    stripe.sessions.pay(await sessionIdOf(payable), 'requires_payment_method');
    expect((await openPage(payable.token)).status).toBe(303);
    expect(madeFor(payable)).toHaveLength(2);
  });

  test('leaves no checkout open when the invoice is closed while the checkout is created', async () => {
    const payable = await stripePayable();
    const { checkoutStore } = await import('../../../../../functions/payments/checkout/store.ts');
    const { saveCheckoutId } = checkoutStore;
    vi.spyOn(checkoutStore, 'saveCheckoutId').mockImplementationOnce(async (...args) => {
      await setInvoice(payable, 'void');
      return saveCheckoutId(...args);
    });
    expect(heading(await openPage(payable.token))).toBe('This invoice cannot be paid any more');
    expect([madeFor(payable).length, openFor(payable).length]).toEqual([1, 0]);
    expect((await now(payable)).invoice.checkoutId).toBeUndefined();
  });
});

describe('the payment page', () => {
  const unavailable = [503, 'Paying does not work at the moment', '60'];
  const shown = async ({ token }: NewPayable) => {
    const response = await openPage(token);
    return [response.status, heading(response), response.headers['retry-after']];
  };

  test('says so when Stripe does not answer, and works later', async () => {
    const payable = await stripePayable();
    stripe.faults.push(500, 500);
    expect(await shown(payable)).toEqual(unavailable);
    expect(await now(payable)).toEqual({
      invoice: expect.not.objectContaining({ checkoutId: expect.anything() }),
      subscription: expect.anything(),
      gateway: 'stripe',
    });
    expect((await openPage(payable.token)).status).toBe(303);
  });

  test('gets the first checkout on the second attempt when the response of Stripe was lost', async () => {
    const payable = await stripePayable();
    stripe.faults.push('lost');
    expect((await openPage(payable.token)).status).toBe(303);
    expect([madeFor(payable).length, openFor(payable).length]).toEqual([1, 1]);
  });

  test('says so when the key is wrong or missing', async () => {
    const wrong = await stripePayable({}, false);
    stripe.keysOf(wrong.tenant.applicationId, { secretKey: 'sk_test_wrong' });
    expect(await shown(wrong)).toEqual(unavailable);
    expect(await shown(await stripePayable({}, false))).toEqual(unavailable);
    const broken = await stripePayable({}, false);
    stripe.keysOf(broken.tenant.applicationId, '{"secretKey":');
    expect(await shown(broken)).toEqual(unavailable);
  });

  test('says so when Stripe does not accept the amount', async () => {
    const payable = await stripePayable({ invoice: { currency: 'EUR', totalMinor: 10 } });
    expect(await shown(payable)).toEqual([422, 'This invoice cannot be paid online', undefined]);
  });
});

describe('closeCheckout', () => {
  test('expires the checkout at Stripe, and does nothing when it is expired, paid or was never opened', async () => {
    const payable = await stripePayable();
    await close(payable);
    await openPage(payable.token);
    await close(payable);
    expect(stripe.sessions.get(await sessionIdOf(payable)).status).toBe('expired');
    await close(payable);
    const paid = await stripePayable();
    await openPage(paid.token);
    stripe.sessions.pay(await sessionIdOf(paid));
    await close(paid);
    expect(stripe.sessions.get(await sessionIdOf(paid)).status).toBe('complete');
    await close(await newPayable('sandbox'));
  });

  test('fails when Stripe does not answer or the keys are gone, so that the caller retries', async () => {
    const payable = await stripePayable();
    await openPage(payable.token);
    stripe.faults.push(500, 500);
    await expect(close(payable)).rejects.toThrow('StripeAPIError 500');
    await close(payable);
    expect(stripe.sessions.get(await sessionIdOf(payable)).status).toBe('expired');
    const without = await stripePayable({ invoice: { checkoutId: 'cs_test_1' } }, false);
    await expect(close(without)).rejects.toThrow('no Stripe keys');
  });
});

describe('a checkout expires', () => {
  const atMs = Date.UTC(2026, 0, 1, 12, 34, 56, 789);
  test.each([
    ['with the subscription', atMs + 5 * hourMs, 5 * hourMs - 789],
    ['after 31 minutes or little more when that is sooner', atMs + 60_000, undefined],
    ['within 24 hours when nothing lapses', undefined, undefined],
    ['within 24 hours when that is later', atMs + 9 * dayMs, undefined],
  ])('%s', (_, paymentDeadlineMs, expected) => {
    const expiresInMs = expiry(paymentDeadlineMs, atMs) - atMs;
    if (expected !== undefined) expect(expiresInMs).toBe(expected);
    expect(expiry(paymentDeadlineMs, atMs) % 1_000).toBe(0);
    expect(expiresInMs).toBeGreaterThanOrEqual(31 * 60_000);
    expect(expiresInMs).toBeLessThanOrEqual(dayMs - 60_000);
  });
});
