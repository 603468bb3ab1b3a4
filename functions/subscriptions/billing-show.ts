import type { Input, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { billingRoutes as routes } from './api/billing-routes.ts';
import { billingFrame, withBillingErrorPages } from './billing/frame.ts';
import { billingPage, cancellationPage, type Done, olderInvoicesPage, oldLinkPage } from './billing/pages.ts';
import { canCancel } from './billing/permissions.ts';
import { cannotCancel } from './billing/refusals.ts';
import { linkDeps, resolveAccount, resolveLink } from './billing/resolve-link.ts';
import { billingView, invoicesToRead } from './billing/view.ts';
import { withCoveredTerm } from './lifecycle/covered-term.ts';

const showDeps = () => ({ ...linkDeps, clock });

/** Shows the state of a subscription, its invoices, and what the subscriber can do. It changes nothing. */
export async function showBilling(
  { params: { token }, query, baseUrl }: Input<(typeof routes)['billing-show']>,
  deps: ReturnType<typeof showDeps>,
): Promise<Reply> {
  const { owner, isOld } = await resolveLink(token, deps);
  const before = query.before === undefined ? undefined : Number(query.before);
  const [{ account, settings }, invoices] = await Promise.all([
    resolveAccount(owner, deps),
    isOld ? [] : deps.store.getInvoices(owner.subscriptionId, { before, limit: invoicesToRead }),
  ]);
  const { subscription, client } = account;
  if (isOld) {
    const done = query.done === 'mailed' || query.done === 'replaced' ? query.done : undefined;
    return billingFrame.reply(200, oldLinkPage({ token, address: client.email }, { done }));
  }
  const nowMs = deps.clock.nowMs();
  if (query.step === 'cancel') {
    return settings.cancel && canCancel(subscription, nowMs)
      ? billingFrame.reply(200, cancellationPage({ token, subscription, settings }))
      : billingFrame.reply(409, cannotCancel(token, account, settings));
  }
  const covered = { ...account, subscription: withCoveredTerm(subscription, client, nowMs) };
  const view = await billingView({ account: covered, settings }, invoices, { token, baseUrl, nowMs }, deps);
  if (before !== undefined) return billingFrame.reply(200, olderInvoicesPage(view));
  return billingFrame.reply(
    200,
    billingPage({ ...view, done: doneOf(query.done), isNameWrong: query.wrong === 'name' }),
  );
}

function doneOf(done: string | undefined): Done | undefined {
  return done === 'cancelled' || done === 'undone' || done === 'renamed' ? done : undefined;
}

export const handler = withBillingErrorPages(endpoint(routes['billing-show'], showBilling, showDeps));
