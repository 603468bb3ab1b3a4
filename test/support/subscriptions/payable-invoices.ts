import type { Invoice } from '../../../functions/invoices/invoice.ts';
import { checkoutUrl } from '../../../functions/invoices/payment-link.ts';
import { checkoutStore } from '../../../functions/payments/checkout/store.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { dayMs } from '../../../functions/shared/runtime/clock.ts';
import type {
  Subscription,
  SubscriptionFields,
} from '../../../functions/subscriptions/record/subscription.ts';
import { type Answered, call, newTenant, putItem, returnUrls, type Tenant } from '../call.ts';
import { invoiceRecord, putSubscription, soldPlan, subscriptionRecord } from './records.ts';

/** An invoice that can be paid online, written directly to the table, with its subscription and client. */
export interface NewPayable {
  tenant: Tenant;
  invoice: Invoice;
  subscription: Subscription;
  token: string;
}

/** Stores the first invoice of a pending subscription. `more` overrides fields. */
export async function newPayable(
  gateway: 'none' | 'sandbox' | 'stripe',
  more: {
    tenant?: Tenant;
    invoice?: Partial<Invoice>;
    subscription?: Partial<SubscriptionFields>;
  } = {},
): Promise<NewPayable> {
  const tenant = more.tenant ?? (await newTenant({ paymentGateway: gateway }));
  const nowMs = Date.now();
  const { totalMinor = 999, currency = 'EUR' } = more.invoice ?? {};
  const plan = { ...soldPlan, priceMinor: totalMinor, currency };
  const base = subscriptionRecord({
    applicationId: tenant.applicationId,
    status: 'pending',
    gateway,
    plan,
    createdAtMs: nowMs,
    ...returnUrls,
    paymentDeadlineMs: nowMs + dayMs,
    startAtMs: nowMs,
    invoiceCount: 1,
    ...more.subscription,
  });
  const lines = [{ description: 'Pro, monthly', quantity: 1, amountMinor: totalMinor }];
  const invoice = invoiceRecord(base, 1, { gateway, plan, totalMinor, lines, ...more.invoice });
  const openInvoices =
    invoice.status === 'open'
      ? [{ n: 1, invoiceId: invoice.invoiceId, totalMinor, currency, planOnPayment: plan }]
      : [];
  const subscription = { ...base, openInvoices };
  const { applicationId, externalId, subscriptionId, status } = subscription;
  const slot = status === 'pending' ? { pendingId: subscriptionId } : { runningId: subscriptionId };
  await Promise.all([
    putSubscription(subscription, { invoices: [invoice] }),
    putItem({
      ...keys.client(applicationId, externalId),
      applicationId,
      externalId,
      email: 'ann@example.com',
      name: 'Ann',
      ...slot,
      revision: 1,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      createdBy: 'test',
      writtenBy: 'test',
    }),
  ]);
  const url = await checkoutUrl('https://api.test/test', invoice.invoiceId);
  return { tenant, invoice, subscription, token: url.split('/').at(-1) ?? '' };
}

const html = { accept: 'text/html,application/xhtml+xml' };

/** Opens the page of an invoice, as a browser does. */
export const openPage = (token: string): Promise<Answered> =>
  call('payments.checkout-show', { params: { token }, headers: html });

/** Submits the form of the page. */
export const choose = (token: string, action: string): Promise<Answered> =>
  call('payments.checkout-submit', {
    params: { token },
    headers: { ...html, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ action }).toString(),
  });

/** The stored invoice and subscription. */
export async function now({ invoice: { invoiceId } }: NewPayable) {
  const payable = await checkoutStore.getPayable(invoiceId);
  if (payable === undefined) throw new Error('The invoice is gone');
  return payable;
}

/** The statuses of the stored invoice and its subscription. */
export async function statuses(payable: NewPayable) {
  const { invoice, subscription } = await now(payable);
  return [invoice.status, subscription.status];
}

/** The visible text of a page, as one line. */
export const visible = (text: string): string =>
  text
    .replace(/<head>.*<\/head>/s, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
    .replace(/ ([.,])/g, '$1');

/** The heading of a page. */
export const heading = ({ text }: Answered): string | undefined =>
  /<h1>(.*?)<\/h1>/.exec(text)?.[1]?.replaceAll(/<[^>]+>/g, '');
