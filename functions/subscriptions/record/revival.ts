import { dayMs } from '../../shared/runtime/duration.ts';
import type { Subscription } from './subscription.ts';

/** Whether a subscription expired, even if it was cancelled afterwards. */
export const hasExpired = ({ endReason }: Subscription): boolean =>
  endReason === 'unpaid' || endReason === 'trial_over' || endReason === 'not_renewed';

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
