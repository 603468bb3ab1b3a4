import { dueMinor } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { defined } from '../../shared/contract/defined.ts';
import { paymentGateway } from '../../subscriptions/record/policy.ts';
import type { BillingView } from './pages.ts';
import { paymentWayOf } from './payment-way.ts';
import { type BillingPageSettings, canCancel, canUndoCancel } from './permissions.ts';
import { standingOf } from './standing.ts';
import type { BillingAccount, billingStore } from './store.ts';

/** Invoices on one page. */
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
  const isOwed = standingOf(subscription, nowMs) !== 'ending';
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
    mayCancel: canCancel(subscription, nowMs),
    mayUndoCancel: canUndoCancel(subscription, nowMs),
    open: open.flatMap(({ invoice, way }) => (way === undefined ? [] : [{ invoice, way }])),
    isCovered: openInvoices.some((invoice) => dueMinor(invoice) === 0),
    invoices: shown,
    nowMs,
    ...defined({ olderThan: invoices.length > invoicesPerPage ? shown.at(-1)?.n : undefined }),
  };
}
