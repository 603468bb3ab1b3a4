import { getApplication } from '../../shared/accounts/applications.ts';
import type { SubscriptionOwner } from '../engine/subscription-queries.ts';
import { billingUrl } from './link.ts';
import { linkVersionStore } from './link-version-store.ts';
import { billingPageSettings } from './permissions.ts';

/** Links to billing pages for mails. */
export const billingLinks = {
  billingUrl,

  /** The version of the link that is valid now; undefined while the application has no billing page. */
  async getLink(owner: SubscriptionOwner): Promise<{ version: number } | undefined> {
    const [version, application] = await Promise.all([
      linkVersionStore.get(owner.subscriptionId),
      getApplication(owner.applicationId),
    ]);
    const isEnabled = application !== undefined && billingPageSettings(application.settings).enabled;
    return isEnabled && version !== undefined ? { version } : undefined;
  },
};
