import { checkoutUrl, invoiceIdOf } from '../../../../functions/invoices/payment-link.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import type { Status } from '../../../../functions/subscriptions/record/subscription.ts';
import { call, updateItem } from '../../../support/call.ts';
import { transfer } from '../../../support/payments/payments.ts';
import {
  choose,
  heading,
  newPayable,
  now,
  openPage,
  statuses,
  visible,
} from '../../../support/subscriptions/payable-invoices.ts';

afterEach(() => {
  vi.useRealTimers();
});

const thanks = [303, 'https://app.example/thanks'];
const landing = ({ status, headers }: Awaited<ReturnType<typeof choose>>) => [status, headers.location];

describe('the payment page of the sandbox', () => {
  test('shows product, seller and amount, and that no money moves', async () => {
    const payable = await newPayable('sandbox');
    const { status, headers, text } = await openPage(payable.token);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const shown of [
      'Pro, monthly',
      'Example App',
      'EUR 9.99',
      payable.invoice.number,
      'no money moves',
      'UTC',
    ]) {
      expect(text).toContain(shown);
    }
    expect(text).not.toMatch(/<script|ann@example\.com/);
  });

  test('asks for what is due of an invoice that was paid in part', async () => {
    const payable = await newPayable('sandbox');
    await transfer(payable.tenant, payable.subscription.subscriptionId, 400);
    const { text } = await openPage(payable.token);
    expect(text).toContain('Pay EUR 5.99');
    expect(text).toContain('Still to pay');
    expect(text).not.toContain('Pay EUR 9.99');
  });

  test('allows forms to itself and to its return URLs, and loads nothing', async () => {
    const returns = { successUrl: 'https://a.example/ok?x=1', cancelUrl: 'http://localhost:8080/no' };
    const { token } = await newPayable('sandbox', { subscription: returns });
    const { headers } = await openPage(token);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; form-action 'self' https:\/\/a\.example http:\/\/localhost:8080; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers['referrer-policy']).toBe('no-referrer');
  });

  test('escapes markup and control characters in names', async () => {
    const name = '<img src=x onerror=alert(1)>"\u202e';
    const { token } = await newPayable('sandbox', { invoice: { seller: { name } } });
    const { text } = await openPage(token);
    expect(text).toContain('“&lt;img src=x onerror=alert(1)&gt;&#39;”');
    expect(text).not.toMatch(/<img|\u202e/);
  });
});

describe('a sandbox payment', () => {
  test('pays the invoice, starts the term and redirects to the success URL', async () => {
    const payable = await newPayable('sandbox');
    expect(landing(await choose(payable.token, 'pay'))).toEqual(thanks);
    expect(await statuses(payable)).toEqual(['paid', 'active']);
    const response = await openPage(payable.token);
    expect([response.status, heading(response)]).toEqual([200, 'This invoice is paid']);
    expect(response.text).toContain('href="https://app.example/thanks"');
  });

  test('can be made days after a cancellation, which changes nothing and redirects to the cancel URL', async () => {
    const paymentDeadlineMs = Date.now() + 9 * dayMs;
    const payable = await newPayable('sandbox', { subscription: { paymentDeadlineMs } });
    const before = await now(payable);
    expect(landing(await choose(payable.token, 'cancel'))).toEqual([303, 'https://app.example/plans']);
    expect(await now(payable)).toEqual(before);
    vi.setSystemTime(Date.now() + 5 * dayMs);
    expect(landing(await choose(payable.token, 'pay'))).toEqual(thanks);
  });

  test('redirects to the page itself when the subscription has no return URLs', async () => {
    const payable = await newPayable('sandbox');
    const { subscriptionId, externalId, applicationId } = payable.subscription;
    await updateItem(keys.subscription(applicationId, externalId, subscriptionId), {
      UpdateExpression: 'REMOVE successUrl, cancelUrl',
    });
    expect((await openPage(payable.token)).text).not.toContain('value="cancel"');
    const page = [303, `https://api.test/test/checkout/${payable.token}`];
    expect(landing(await choose(payable.token, 'pay'))).toEqual(page);
  });
});

test('a declined payment in the sandbox is shown as an error, is no payment, and leaves the invoice payable', async () => {
  const payable = await newPayable('sandbox');
  const before = await now(payable);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const declined = await choose(payable.token, 'decline');
    expect([declined.status, heading(declined)]).toEqual([402, 'Pay “Example App”']);
    expect(visible(declined.text)).toContain('Your card was declined. Nothing was charged.');
    expect(declined.text).toMatch(/role="alert"/);
    expect(declined.text).toContain('value="pay"');
  }
  expect(await now(payable)).toEqual(before);
  expect((await openPage(payable.token)).text).not.toContain('declined');
  expect(landing(await choose(payable.token, 'pay'))).toEqual(thanks);
  expect(landing(await choose(payable.token, 'decline'))).toEqual([
    303,
    `https://api.test/test/checkout/${payable.token}`,
  ]);
  expect(await statuses(payable)).toEqual(['paid', 'active']);
});

test('a reversal in the sandbox reopens the invoice and makes the subscription past due; payment and reversal can be repeated', async () => {
  const payable = await newPayable('sandbox');
  const page = [303, `https://api.test/test/checkout/${payable.token}`];
  for (let round = 0; round < 2; round += 1) {
    expect(landing(await choose(payable.token, 'pay'))).toEqual(thanks);
    expect(await statuses(payable)).toEqual(['paid', 'active']);
    expect((await openPage(payable.token)).text).toContain('Take the payment back');
    expect(landing(await choose(payable.token, 'reverse'))).toEqual(page);
    expect(await statuses(payable)).toEqual(['open', 'past_due']);
    expect(heading(await openPage(payable.token))).toBe('Pay “Example App”');
  }
});

describe('an invoice that cannot be paid', () => {
  const late = Date.now() - dayMs;
  test.each<[string, Parameters<typeof newPayable>[1], string]>([
    ['void', { invoice: { status: 'void' } }, 'any more'],
    ['lapsed before its timer', { subscription: { paymentDeadlineMs: late } }, 'any more'],
    ...(['cancelled', 'expired'] satisfies Status[]).map(
      (status): [string, Parameters<typeof newPayable>[1], string] => [
        `of a subscription that is ${status}`,
        { subscription: { status } },
        'any more',
      ],
    ),
    ['of a paused subscription', { subscription: { status: 'paused' } }, 'now'],
  ])('gets a page that says so: %s', async (_, more, when) => {
    const payable = await newPayable('sandbox', more);
    const before = await now(payable);
    const page = await openPage(payable.token);
    const paid = await choose(payable.token, 'pay');
    expect([page.status, paid.status]).toEqual([200, 409]);
    expect([heading(page), heading(paid)]).toEqual(Array(2).fill(`This invoice cannot be paid ${when}`));
    expect(page.text).not.toContain('<form');
    expect(page.text).toContain('href="https://app.example/plans"');
    expect(await now(payable)).toEqual(before);
  });

  test('is not paid by the sandbox form when its gateway is Stripe', async () => {
    const payable = await newPayable('stripe');
    for (const action of ['pay', 'cancel', 'reverse']) {
      expect((await choose(payable.token, action)).status).toBe(404);
    }
    expect(await statuses(payable)).toEqual(['open', 'pending']);
  });

  test('is not paid with a forged link or an unknown action', async () => {
    const payable = await newPayable('sandbox');
    expect((await choose(`${payable.invoice.invoiceId}.${'A'.repeat(22)}`, 'pay')).status).toBe(404);
    expect((await choose(payable.token, 'refund')).status).toBe(400);
    expect(await statuses(payable)).toEqual(['open', 'pending']);
  });
});

test('callers that do not accept HTML get JSON errors', async () => {
  const { status, body } = await call('payments.checkout-show', { params: { token: 'none' } });
  expect([status, body.error]).toEqual([404, 'not_found']);
});

const tokenFor = async (invoiceId: string) => (await checkoutUrl('', invoiceId)).slice('/checkout/'.length);

describe('a payment link', () => {
  test('is always the same, and leads to its invoice', async () => {
    const url = await checkoutUrl('https://api.example/v1', 'inv_1');
    expect(url).toMatch(/^https:\/\/api\.example\/v1\/checkout\/inv_1\.[\w-]{22}$/);
    expect(await checkoutUrl('https://api.example/v1', 'inv_1')).toBe(url);
    expect(await invoiceIdOf(await tokenFor('inv_1'))).toBe('inv_1');
  });

  test('gets the same answer when it is forged, of a missing invoice, or of one paid by bank transfer', async () => {
    const { invoice, token } = await newPayable('sandbox');
    const { token: offline } = await newPayable('none');
    const tokens = [`${invoice.invoiceId}.${'A'.repeat(22)}`, await tokenFor('inv_none'), offline];
    const responses = await Promise.all(tokens.map(openPage));
    expect(responses.map((response) => [response.status, heading(response)])).toEqual(
      tokens.map(() => [404, 'Page not found']),
    );
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect((await openPage(token)).status).toBe(200);
  });
});
