import { dayMs } from '../../shared/runtime/clock.ts';
import type { EndedSubscription, Subscription } from './subscription.ts';

/** A subscription that expired, even if it was cancelled afterwards. */
type ExpiredSubscription = EndedSubscription & { endReason: 'unpaid' | 'trial_over' | 'not_renewed' };

export const hasExpired = (subscription: Subscription): subscription is ExpiredSubscription =>
  subscription.endReason === 'unpaid' ||
  subscription.endReason === 'trial_over' ||
  subscription.endReason === 'not_renewed';

/**
 * Until when a late payment can make a subscription active again, in epoch milliseconds.
 *
 * @returns undefined for one that runs, or ended otherwise than unpaid.
 */
export function revivableUntilMs(subscription: Subscription): number | undefined {
  if (subscription.status !== 'expired') return undefined;
  const { endReason, endedAtMs, policy } = subscription;
  if (endReason !== 'unpaid' && endReason !== 'trial_over') return undefined;
  return endedAtMs + policy.payments.reviveDays * dayMs;
}
