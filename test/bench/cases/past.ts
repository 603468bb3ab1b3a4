import { dayMs } from '../../../functions/shared/runtime/clock.ts';
import { subscriptionStore } from '../../../functions/subscriptions/commands/subscription-store.ts';
import type { Subscription } from '../../../functions/subscriptions/record/subscription.ts';
import { timerInput } from '../../../functions/subscriptions/timers/schedule.ts';
import type { TimerInput } from '../../../functions/subscriptions/timers/timer-input.ts';
import { installDate } from '../../../lib/local/clock.ts';
import type { Tenant } from '../../support/call.ts';

/** Runs work with the clock set back by `days`, so that its records are that old. */
export async function daysAgo<T>(days: number, work: () => Promise<T>): Promise<T> {
  const { now } = Date;
  const restore = installDate(() => now() - days * dayMs);
  try {
    return await work();
  } finally {
    restore();
  }
}

/** The stored record of a subscription. */
export async function storedSubscription(
  { applicationId }: Pick<Tenant, 'applicationId'>,
  { id, externalId }: { id: string; externalId: string },
): Promise<Subscription> {
  const found = await subscriptionStore.getWithClient(applicationId, externalId, [id]);
  const [subscription] = found.subscriptions;
  if (subscription === undefined) throw new Error(`There is no subscription ${id}`);
  return subscription;
}

/** The input with which the current execution of the timer invokes the task. */
export function inputOf(subscription: Subscription): TimerInput {
  const input = timerInput(subscription);
  if (input === undefined) throw new Error(`${subscription.subscriptionId} has no timer`);
  return input;
}
