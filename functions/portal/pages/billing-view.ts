import { dueMinor } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { defined } from '../../shared/contract/defined.ts';
import { paymentGateway } from '../../subscriptions/record/policy.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import { type PaymentWay, paymentWayOf } from './payment-way.ts';
import { type BillingPageSettings, cancelsAtMs, undoableUntilMs } from './permissions.ts';
import { type BilledClient, shownState } from './state-in-words.ts';
import type { BillingAccount, billingStore } from './store.ts';

export interface BillingView {
  token: string;
  subscription: Subscription;
  client: BilledClient;
  /** The name that future invoices have. */
  customerName: string | undefined;
  settings: BillingPageSettings;
  /** When a cancellation would end the subscription, if it can be cancelled. */
  cancelsAtMs: number | undefined;
  /** Until when its cancellation can be undone, if it can be. */
  undoableUntilMs: number | undefined;
  open: readonly { invoice: Invoice; way: PaymentWay }[];
  /** The client's credit covers the invoice of the next term, which was issued already: it has no way to pay. */
  isCovered: boolean;
  invoices: readonly Invoice[];
  /** The number of the invoice before which the next page begins. */
  olderThan?: number | undefined;
  nowMs: number;
}

const invoicesPerPage = 20;

/** One more than a page shows whether there are earlier ones. */
export const invoicesToRead = invoicesPerPage + 1;

/** Collects what the page of a subscription shows. @param invoices as read, the latest first. */
export async function billingView(
  { account, settings }: { account: BillingAccount; settings: BillingPageSettings },
  invoices: readonly Invoice[],
  { token, baseUrl, nowMs }: { token: string; baseUrl: string; nowMs: number },
  { store }: { store: typeof billingStore },
): Promise<BillingView> {
  const { subscription, client, application } = account;
  const gateway = paymentGateway(application.settings);
  // The invoice of a term that was cancelled need not be paid. It becomes void when the present one ends.
  const isOwed = shownState(subscription, nowMs) !== 'ending';
  const openInvoices = isOwed ? await store.getOpenInvoices(subscription, invoices) : [];
  const open = await Promise.all(
    openInvoices.map(async (invoice) => ({
      invoice,
      way: await paymentWayOf({ invoice, subscription, gateway }, baseUrl, nowMs),
    })),
  );
  const shown = invoices.slice(0, invoicesPerPage);
  return {
    token,
    subscription,
    client,
    customerName: client.name,
    settings,
    cancelsAtMs: cancelsAtMs(subscription, nowMs),
    undoableUntilMs: undoableUntilMs(subscription, nowMs),
    open: open.flatMap(({ invoice, way }) => (way === undefined ? [] : [{ invoice, way }])),
    isCovered: openInvoices.some((invoice) => dueMinor(invoice) === 0),
    invoices: shown,
    nowMs,
    ...defined({ olderThan: invoices.length > invoicesPerPage ? shown.at(-1)?.n : undefined }),
  };
}
