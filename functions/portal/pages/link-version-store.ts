import * as keys from '../../shared/contract/keys.ts';
import { getRecord } from '../../shared/table/record.ts';
import { readOwner, type SubscriptionOwner } from '../../subscriptions/commands/subscription-queries.ts';

export const linkVersion = ({ billingLinkVersion = 0 }: SubscriptionOwner): number => billingLinkVersion;

export const linkVersionStore = {
  /** The owner of a subscription. The caller is authorized by other means. */
  getOwner(subscriptionId: string): Promise<SubscriptionOwner | undefined> {
    return getRecord(keys.subscriptionOwner(subscriptionId), readOwner);
  },

  /** The version of a subscription's link; undefined when there is no such subscription. */
  async get(subscriptionId: string): Promise<number | undefined> {
    const owner = await this.getOwner(subscriptionId);
    return owner && linkVersion(owner);
  },
};
