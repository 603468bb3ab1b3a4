import { type AuditWrite, actionWrites } from '../shared/audit/write.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, found, type Handler, type Output } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import {
  type SubscriptionOwner,
  subscriptionQueries,
} from '../subscriptions/commands/subscription-queries.ts';
import { linkMail, linkMailEntryId, replacementId, requestId } from './pages/link-mail.ts';
import { linkVersion } from './pages/link-version-store.ts';
import { billingPageSettings } from './pages/permissions.ts';
import { type BillingAccount, billingStore } from './pages/store.ts';
import { linkMailRoute } from './routes.ts';

/** Mails the link to the billing page, or a new one that replaces it. */
export const mailBillingLink: Handler<typeof linkMailRoute> = async ({
  params: { id },
  body: { replace = false, version },
  caller,
  rateLimitPassed,
}) => {
  const owner = await subscriptionQueries.getOwner(caller.applicationId, id);
  await rateLimitPassed;
  if (owner === undefined) throw new ApiError('not_found');
  if (replace) {
    const records = actionWrites(caller, { action: 'subscription.billing_link_replaced', id });
    return replaceLink(owner, version ?? linkVersion(owner), records);
  }
  const nowMs = clock.nowMs();
  const records = actionWrites(caller, { action: 'subscription.billing_link_sent', id });
  const mail = linkMail(await accountWithPage(owner), requestId(nowMs), nowMs);
  return { mailed: await billingStore.mailLinkBy(records, mail), version: linkVersion(owner) };
};

/** Replaces the link that the caller has seen. A repeated request finds the mail of the first one. */
async function replaceLink(
  owner: SubscriptionOwner,
  seen: number,
  records: readonly AuditWrite[],
): Promise<Output<typeof linkMailRoute>> {
  const current = linkVersion(owner);
  const mailId = replacementId(seen);
  const done = { mailed: true, version: seen + 1 };
  if (current === seen) {
    const mail = linkMail(await accountWithPage(owner), mailId, clock.nowMs());
    if (await billingStore.replaceLinkByMail(owner, mail, records)) return done;
  }
  // A link that an application replaces without this operation is mailed to nobody.
  const mail =
    current > seen + 1
      ? undefined
      : await billingStore.getMail(owner.subscriptionId, linkMailEntryId(mailId));
  if (mail === undefined) throw new ApiError('conflict');
  return done;
}

async function accountWithPage(owner: SubscriptionOwner): Promise<BillingAccount> {
  const account = found(await billingStore.getAccount(owner));
  if (!billingPageSettings(account.application.settings).enabled)
    throw new ApiError('conflict', { details: { billingPage: 'is off in the settings of the application' } });
  return account;
}

export const handler = endpoint(linkMailRoute, mailBillingLink, sellerCaller);
