import { clientStore } from '../../clients/store.ts';
import { getApplication } from '../../shared/accounts/applications.ts';
import type { SubscriptionOwner } from '../../subscriptions/commands/subscription-queries.ts';
import { billingUrl } from './link.ts';
import { linkVersionStore } from './link-version-store.ts';
import { billingPageSettings } from './permissions.ts';

export const billingLinks = {
  billingUrl,

  /**
   * The version of the link that a mail gets; undefined while the application has no billing page.
   *
   * A mail can wait for days, and the client can have another address since. The former address gets no link: it would be
   * the present one, even if the link was replaced because of the change.
   */
  async getLink(mail: SubscriptionOwner & { to: string }): Promise<{ version: number } | undefined> {
    const { subscriptionId, applicationId, externalId, to } = mail;
    const [version, application, client] = await Promise.all([
      linkVersionStore.get(subscriptionId),
      getApplication(applicationId),
      clientStore.get(applicationId, externalId),
    ]);
    const isEnabled = application !== undefined && billingPageSettings(application.settings).enabled;
    return isEnabled && client?.email === to && version !== undefined ? { version } : undefined;
  },
};
