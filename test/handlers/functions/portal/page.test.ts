import type { Invoice } from '../../../../functions/invoices/invoice.ts';
import { billingToken } from '../../../../functions/portal/pages/link.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import type { SubscriptionFields } from '../../../../functions/subscriptions/record/subscription.ts';
import {
  banking,
  call,
  type Gateway,
  newSeller,
  noonMs,
  onTestClock,
  putItem,
} from '../../../support/call.ts';
import { billingTokenOf, browser, newBilling, openBilling } from '../../../support/subscriptions/billing.ts';
import { heading, newPayable, visible } from '../../../support/subscriptions/payable-invoices.ts';
import {
  invoiceRecord,
  putSubscription,
  subscriptionRecord,
} from '../../../support/subscriptions/records.ts';
import { storedSubscription } from '../../../support/subscriptions/stored-state.ts';

onTestClock();

/** The page of a stored subscription with these fields. */
async function pageOf(
  more: Partial<SubscriptionFields>,
  invoices: readonly Partial<Invoice>[] = [],
  gateway: Gateway = 'none',
  credit: Record<string, number> = {},
) {
  const { applicationId } = await newSeller(gateway);
  const subscription = subscriptionRecord({ applicationId, ...more });
  const { externalId, subscriptionId } = subscription;
  const records = invoices.map((fields, i) => invoiceRecord(subscription, i + 1, { gateway, ...fields }));
  const openInvoices = records
    .filter(({ status }) => status === 'open')
    .map(({ n, invoiceId, totalMinor, currency }) => ({ n, invoiceId, totalMinor, currency }));
  await putSubscription(
    { ...subscription, openInvoices, invoiceCount: records.length },
    { invoices: records },
  );
  const client = {
    applicationId,
    externalId,
    email: 'ann@example.com',
    credit,
    createdAtMs: 1,
    updatedAtMs: 1,
  };
  await putItem({
    ...keys.client(applicationId, externalId),
    ...client,
    createdBy: 'test',
    writtenBy: 'test',
  });
  const token = await billingToken({ subscriptionId, version: 0 });
  return { page: await openBilling(token), token, invoices: records };
}

const day = (days: number) => noonMs + days * dayMs;

test.each<[Partial<SubscriptionFields>, string, string]>([
  [
    { status: 'trialing', trialStartMs: day(-4), trialEndMs: day(10) },
    'Trial until 20 March 2027, 12:00 UTC You have full access. If you do nothing, the subscription ends with the trial, and nothing is charged.',
    'EUR 9.99 by 20 March 2027, if you want to continue',
  ],
  [
    { termEndMs: day(20) },
    'Paid until 30 March 2027, 12:00 UTC You have full access. It renews with the next payment.',
    'EUR 9.99 on 30 March 2027',
  ],
  [
    { termEndMs: day(20), seller: { name: 'Example App', timeZone: 'Pacific/Kiritimati' } },
    'Paid until 31 March 2027, 02:00 GMT+14 You have full access.',
    'EUR 9.99 on 31 March 2027',
  ],
  [
    { startAtMs: day(2), termStartMs: day(2), termEndMs: day(32) },
    'Access starts on 12 March 2027, 12:00 UTC.',
    'EUR 9.99 on 11 April 2027',
  ],
  [
    { termEndMs: day(20), cancelAtPeriodEnd: true },
    'Ends on 30 March 2027, 12:00 UTC The subscription is cancelled. You have access until then, and nothing more is charged.',
    'None',
  ],
  [
    { status: 'pending', paymentDeadlineMs: day(5) },
    'Waiting for the first payment The subscription starts when the payment arrives. Without a payment it never starts, and you owe nothing. Pay by 15 March 2027, 12:00 UTC.',
    'EUR 9.99',
  ],
  [
    { status: 'past_due', termEndMs: day(-3), dunning: { fromMs: day(-3), reminders: 1 } },
    'Payment overdue A payment has been due since 7 March 2027. You have full access until 14 March 2027, 12:00 UTC. Without a payment the subscription ends on 28 March 2027, 12:00 UTC.',
    'EUR 9.99',
  ],
  [
    { status: 'past_due', termEndMs: day(-10), dunning: { fromMs: day(-10), reminders: 3 } },
    'Your access is restricted until the payment arrives. Without a payment the subscription ends on 21 March 2027, 12:00 UTC.',
    'EUR 9.99',
  ],
  [{ termEndMs: day(-1) }, 'A payment has been due since 9 March 2027.', 'EUR 9.99'],
  [
    { status: 'paused', pausedAtMs: day(-1), resumesAtMs: day(3) },
    'Paused You have no access, and nothing is charged. The rest of the term that you paid for is kept. It continues automatically on 13 March 2027, 12:00 UTC.',
    'None',
  ],
  [
    { status: 'cancelled', endedAtMs: day(-2), endReason: 'period_over' },
    'Ended on 8 March 2027 It was cancelled, and ended with its period. You have no access, and nothing more is charged.',
    'None',
  ],
  [
    { status: 'expired', endedAtMs: day(-2), endReason: 'unpaid' },
    'Ended on 8 March 2027 No payment arrived.',
    'None',
  ],
  [
    { status: 'trialing', trialEndMs: day(-1) },
    'Ended The trial ended without a payment. Nothing was charged.',
    'None',
  ],
])(
  'the page says in words what the state is, and the next payment of %j: “%s”',
  async (fields, state, next) => {
    const { page } = await pageOf(fields);
    const text = visible(page.text).replaceAll('\u00a0', ' ');
    expect(text).toContain(state);
    expect(text).toContain(`Next payment ${next}`);
  },
);

describe('what is open', () => {
  test('is paid by bank transfer to the account of the seller, with the reference', async () => {
    const { seller, externalId, token } = await newBilling(await newSeller(), 'pending');
    const text = visible((await openBilling(token)).text);
    const subscription = await seller.stateOf(externalId);
    expect(text).toContain('To pay');
    expect(text).toContain(`Include the reference ${subscription.referenceNumber}`);
    for (const shown of [banking.accountHolder, banking.bankName, 'DE02 1203 0000 0000 2020 51']) {
      expect(text).toContain(shown);
    }
  });

  test('is paid on the page of its invoice', async () => {
    const { tenant, subscription, token } = await newPayable('sandbox');
    const page = await openBilling(await billingTokenOf(tenant, subscription.subscriptionId));
    expect(page.text).toContain(`href="https://api.test/test/checkout/${token}"`);
    expect(visible(page.text)).toMatch(/To pay EUR.9\.99 for invoice/);
  });

  test('of a gateway that the application no longer has shows whom to ask, and no payment link', async () => {
    const tenant = await newSeller('none');
    const { subscription } = await newPayable('stripe', { tenant });
    const { text } = await openBilling(await billingTokenOf(tenant, subscription.subscriptionId));
    expect(visible(text)).toContain('Ask “Example App” how to pay.');
    expect(text).not.toContain('/checkout/');
  });

  test('is not asked for while the subscription is paused, cancelled or ended', async () => {
    const open = [{ dueAtMs: day(3) }];
    const paused = await pageOf({ status: 'paused', pausedAtMs: day(-1) }, open, 'sandbox');
    expect(visible(paused.page.text)).toContain(
      'You cannot pay this invoice while the subscription is paused.',
    );
    expect(paused.page.text).not.toContain('/checkout/');
    for (const more of [
      { cancelAtPeriodEnd: true },
      { status: 'expired' as const, endReason: 'unpaid' as const },
    ]) {
      const { page } = await pageOf(more, open, 'sandbox');
      expect(visible(page.text)).not.toContain('To pay');
      expect(page.text).not.toContain('/checkout/');
    }
  });
});

test.each([
  ['less the credit of the client', 400, 'EUR 5.99 after EUR 4.00 of your credit on 20 March 2027'],
  ['with what the client owes', -100, 'EUR 10.99 on 20 March 2027'],
  ['none when the credit covers it', 999, 'None, your credit covers it on 20 March 2027'],
])('the next payment is %s', async (_, minor, next) => {
  const { page } = await pageOf({ status: 'active', termEndMs: day(10) }, [], 'none', { EUR: minor });
  expect(visible(page.text).replaceAll('\u00a0', ' ')).toContain(`Next payment ${next}`);
});

describe('invoices', () => {
  test('are listed newest first, twenty on a page, each once', async () => {
    const all = Array.from({ length: 25 }, (_, i) => ({
      status: i % 2 ? ('paid' as const) : ('void' as const),
    }));
    const { token, invoices, page } = await pageOf({}, all);
    const numbersIn = (text: string) =>
      [...text.matchAll(/(INV-\w+-\d+) \(PDF\)/g)].map(([, number]) => number);
    const pages = [page.text];
    for (;;) {
      const before = /\?before=(\d+)/.exec(pages.at(-1) ?? '')?.[1];
      if (before === undefined) break;
      const next = await openBilling(token, { before });
      expect([next.status, heading(next)]).toEqual([200, 'Earlier invoices']);
      pages.push(next.text);
    }
    expect(pages.map((text) => numbersIn(text).length)).toEqual([20, 5]);
    expect(pages.flatMap(numbersIn)).toEqual(invoices.map(({ number }) => number).reverse());
  });

  test('say whether they are paid, void or open', async () => {
    const { page } = await pageOf({}, [
      { status: 'paid', paidAtMs: noonMs },
      { status: 'void' },
      { status: 'uncollectible' },
      { dueAtMs: day(7) },
    ]);
    const text = visible(page.text);
    for (const words of [
      'paid on 10 March 2027',
      'void, nothing to pay',
      'closed without payment',
      'open, due on 17 March 2027',
    ]) {
      expect(text).toContain(words);
    }
  });

  test('are PDF for a browser that follows the link, and a page for a caller that cannot get bytes', async () => {
    const { token, invoices } = await pageOf({}, [{}]);
    const read = (accept: string) =>
      call('portal.invoice', {
        params: { token, invoiceId: invoices[0]?.invoiceId ?? '' },
        headers: { accept },
      });
    for (const accept of [browser.accept, 'application/pdf', 'application/pdf,*/*']) {
      const { status, headers, text } = await read(accept);
      expect([status, headers['content-type'], headers.vary]).toEqual([200, 'application/pdf', 'accept']);
      expect(headers['content-disposition']).toBe(`inline; filename="${invoices[0]?.number}.pdf"`);
      expect(Buffer.from(text, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
    }
    const page = await read('*/*');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain(invoices[0]?.number);
  });

  test('of another subscription, even of the same client, do not exist', async () => {
    const seller = await newSeller();
    const { token } = await newBilling(seller);
    const other = await newBilling(seller, 'pending');
    const { invoices } = await storedSubscription(seller, other.externalId);
    for (const invoiceId of [
      invoices[0]?.invoiceId ?? '',
      'inv_01JD0000000000000000000000',
      'nonsense',
      '#',
    ]) {
      const answer = await call('portal.invoice', {
        params: { token, invoiceId },
        headers: browser,
      });
      expect([answer.status, heading(answer)]).toEqual([404, 'Page not found']);
    }
  });
});

describe('the page', () => {
  test('loads nothing, is stored by no cache, sends no referrer, and is in no index', async () => {
    const { token } = await newBilling(await newSeller());
    const { headers, text } = await openBilling(token);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(text).not.toMatch(/<script|<img|<link(?! rel="icon" href="data:)|src=|ann@example\.com/);
    expect(Buffer.byteLength(text)).toBeLessThan(12_000);
  });

  test('escapes and quotes what the application and the subscriber have written', async () => {
    const evil = '<img src=x onerror=alert(1)>"\u202e';
    const { page } = await pageOf({
      seller: { name: evil },
      plan: { ...subscriptionRecord().plan, name: evil },
    });
    expect(page.text.match(/“&lt;img src=x onerror=alert\(1\)&gt;&#39;”/g)).toHaveLength(2);
    expect(page.text).not.toMatch(/<img|\u202e/);
  });
});
