import type { Client } from '../../clients/client.ts';
import { readClient } from '../../clients/store.ts';
import type { Plan } from '../../plans/plan.ts';
import { readPlan } from '../../plans/store.ts';
import { type Application, readApplication } from '../../shared/accounts/applications.ts';
import * as keys from '../../shared/contract/keys.ts';
import { batchGetItems, notExists, type Write } from '../../shared/table/table.ts';
import { referenceCode } from '../record/reference-number.ts';
import type { Subscription } from '../record/subscription.ts';
import { inStateAtRevision } from './subscription-item-store.ts';

export const newSubscriptionStore = {
  /** The client, the plan and the application of a new subscription, in one round trip. */
  async getCreationInputs(
    applicationId: string,
    externalId: string,
    planId: string,
  ): Promise<{ client: Client | undefined; plan: Plan | undefined; application: Application | undefined }> {
    const itemKeys = [
      keys.client(applicationId, externalId),
      keys.plan(applicationId, planId),
      keys.application(applicationId),
    ];
    const items = await batchGetItems(itemKeys);
    const [client, plan, application] = itemKeys.map(({ pk, sk }) =>
      items.find((item) => item.pk === pk && item.sk === sk),
    );
    return {
      client: client && readClient(client),
      plan: plan && readPlan(plan),
      application: application && readApplication(application),
    };
  },

  /**
   * The owner of a new subscription, by its id and by its reference number, which no other one has.
   *
   * @param concurrent the client's running subscription, if it goes on. The write is conditioned on its revision.
   */
  writes(
    { applicationId, externalId, subscriptionId, referenceNumber }: Subscription,
    concurrent: Subscription | undefined,
  ): Write[] {
    const owner = { applicationId, externalId, subscriptionId };
    return [
      { Put: { Item: { ...keys.subscriptionOwner(subscriptionId), ...owner } } },
      {
        Put: {
          Item: { ...keys.reference(referenceCode(referenceNumber)), ...owner },
          ConditionExpression: notExists,
        },
      },
      ...(concurrent === undefined ? [] : [revisionUnchanged(concurrent)]),
    ];
  },
};

function revisionUnchanged(subscription: Subscription): Write {
  const { applicationId, externalId, subscriptionId, status } = subscription;
  return {
    ConditionCheck: {
      Key: keys.subscription(applicationId, externalId, subscriptionId),
      ...inStateAtRevision([status], subscription),
    },
  };
}
