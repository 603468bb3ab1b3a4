import { endpoint, type Handler, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import type { SubscriptionOwner } from '../subscriptions/commands/subscription-queries.ts';
import { withCoveredTerm } from '../subscriptions/machine/covered-term.ts';
import { billingPage, cancellationPage, type FormOutcome, replacementPage } from './pages/billing-page.ts';
import { billingView, invoicesToRead } from './pages/billing-view.ts';
import { billingFrame, withBillingErrorPages } from './pages/frame.ts';
import { olderInvoicesPage } from './pages/invoice-list.ts';
import { linkMailEntryId, nextRequestMs, replacementId, requestId } from './pages/link-mail.ts';
import { type LinkMailState, linkMailPage, oldLinkPage } from './pages/old-link-pages.ts';
import { cancelsAtMs } from './pages/permissions.ts';
import { cannotCancel, notOffered } from './pages/refusals.ts';
import { resolveAccount, resolveLink } from './pages/resolve-link.ts';
import { billingStore } from './pages/store.ts';
import { showRoute } from './routes.ts';

/** Shows the state of a subscription, its invoices, and what the subscriber can do. It changes nothing. */
export const showBilling: Handler<typeof showRoute, Reply> = async ({
  params: { token },
  query,
  baseUrl,
}) => {
  const { owner, version, isOld } = await resolveLink(token);
  const nowMs = clock.nowMs();
  const before = query.before === undefined ? undefined : Number(query.before);
  const [{ account, settings }, mailed, invoices] = await Promise.all([
    resolveAccount(owner),
    isOld ? linkMail(owner, { version, done: query.done, nowMs }) : undefined,
    isOld ? [] : billingStore.getInvoices(owner.subscriptionId, { before, limit: invoicesToRead }),
  ]);
  const { subscription, client } = account;
  if (isOld) {
    const link = { token, address: client.email };
    return billingFrame.reply(200, mailed === undefined ? oldLinkPage(link) : linkMailPage(link, mailed));
  }
  if (query.step === 'cancel') {
    const endMs = cancelsAtMs(subscription, nowMs);
    return settings.cancel && endMs !== undefined
      ? billingFrame.reply(200, cancellationPage({ token, subscription, settings, endMs }))
      : billingFrame.reply(409, cannotCancel(token, account, settings));
  }
  if (query.step === 'replace') {
    return settings.replaceLink
      ? billingFrame.reply(200, replacementPage({ token, address: client.email }))
      : billingFrame.reply(409, notOffered(token, account));
  }
  const covered = { ...account, subscription: withCoveredTerm(subscription, client, nowMs) };
  const view = await billingView(
    { account: covered, settings },
    invoices,
    { token, baseUrl, nowMs },
    { store: billingStore },
  );
  if (before !== undefined) return billingFrame.reply(200, olderInvoicesPage(view));
  return billingFrame.reply(200, billingPage(view, outcomeOf(query)));
};

/** The newest mail with the present link: the one that was asked for in this hour, or that of the replacement just now. */
async function linkMail(
  { subscriptionId }: SubscriptionOwner,
  { version, done, nowMs }: { version: number; done: string | undefined; nowMs: number },
): Promise<LinkMailState | undefined> {
  const [asked, replaced] = await Promise.all(
    [requestId(nowMs), replacementId(version)].map((id) =>
      billingStore.getMail(subscriptionId, linkMailEntryId(id)),
    ),
  );
  if (asked !== undefined) return { mail: asked, againAtMs: nextRequestMs(nowMs) };
  return done === 'replaced' && replaced !== undefined ? { mail: replaced } : undefined;
}

function outcomeOf({ done, wrong }: Input<typeof showRoute>['query']): FormOutcome | undefined {
  if (wrong === 'name') return 'name_refused';
  return done === 'cancelled' || done === 'undone' || done === 'renamed' ? done : undefined;
}

export const handler = withBillingErrorPages(endpoint(showRoute, showBilling));
