import { ApiError, found } from '../../shared/contract/errors.ts';
import type { SubscriptionOwner } from '../../subscriptions/commands/subscription-queries.ts';
import { billingLinkOf } from './link.ts';
import { linkVersion } from './link-version-store.ts';
import { type BillingPageSettings, billingPageSettings } from './permissions.ts';
import { type BillingAccount, billingStore } from './store.ts';

/**
 * The owner of the subscription that the token of a link is for, and the version of the link. `isOld`: it was replaced.
 *
 * @throws ApiError `not_found`, the same for a forged link and for a missing subscription.
 */
export async function resolveLink(
  token: string,
): Promise<{ owner: SubscriptionOwner; version: number; isOld: boolean }> {
  const link = await billingLinkOf(token);
  const owner = link && (await billingStore.getOwner(link.subscriptionId));
  // A table that was restored can have an earlier version. A link of a later one is refused until that is reached again.
  if (link === undefined || owner === undefined || link.version > linkVersion(owner)) {
    throw new ApiError('not_found');
  }
  const { version } = link;
  return { owner, version, isOld: version < linkVersion(owner) };
}

/**
 * The subscription with its client and its application, and what the application lets its subscribers do.
 *
 * @throws ApiError `not_found` when a record is missing, or the application has no billing page.
 */
export async function resolveAccount(
  owner: SubscriptionOwner,
): Promise<{ account: BillingAccount; settings: BillingPageSettings }> {
  const account = found(await billingStore.getAccount(owner));
  const settings = billingPageSettings(account.application.settings);
  if (!settings.enabled) throw new ApiError('not_found');
  return { account, settings };
}
