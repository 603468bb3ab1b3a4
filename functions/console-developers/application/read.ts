import type { Plan } from '../../plans/plan.ts';
import { planStore } from '../../plans/store.ts';
import { type Application, getApplication } from '../../shared/accounts/applications.ts';
import { type ApplicationUse, readApplicationUse } from '../../shared/auth/application-use.ts';
import type { Delivery } from '../../webhooks/deliveries/delivery.ts';
import { deliveryStore } from '../../webhooks/deliveries/store.ts';
import { webhookStore } from '../../webhooks/endpoints/store.ts';
import type { Webhook } from '../../webhooks/endpoints/webhook.ts';

/** The most plans of the page. The search finds each by its id. */
export const shownPlans = 100;

/** Everything that the page of an application shows. */
export interface Developer {
  application: Application;
  use: ApplicationUse;
  /** The webhooks, oldest first, each with the delivery of its newest event. */
  webhooks: readonly { webhook: Webhook; newest: Delivery | undefined }[];
  /** The plans, oldest first, up to {@link shownPlans}. */
  plans: readonly Plan[];
  nowMs: number;
}

/**
 * Reads an application for its page; undefined when there is none of this id. The newest deliveries are one query for each of
 * at most twenty webhooks, at the same time.
 */
export async function readDeveloper(applicationId: string, nowMs: number): Promise<Developer | undefined> {
  const [application, use, all, plans] = await Promise.all([
    getApplication(applicationId),
    readApplicationUse(applicationId, nowMs),
    webhookStore.listOf(applicationId),
    planStore.listPage(applicationId, { startAfter: undefined, count: shownPlans }),
  ]);
  if (application === undefined) return undefined;
  const webhooks = await Promise.all(
    all.map(async (webhook) => {
      const page = await deliveryStore.page(webhook.webhookId, { limit: 1, startAfter: undefined });
      return { webhook, newest: page.deliveries[0] };
    }),
  );
  return { application, use, webhooks, plans: plans.items, nowMs };
}
