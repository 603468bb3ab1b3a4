import type { SubscriptionFields } from './subscription.ts';

/** How long a pause stops the subscription, in milliseconds. Time before the start of access does not count. */
export function pausedDurationMs(
  {
    pausedAtMs,
    startAtMs,
    trialRemainder,
  }: Pick<SubscriptionFields, 'pausedAtMs' | 'startAtMs' | 'trialRemainder'>,
  resumedAtMs: number,
): number {
  if (pausedAtMs === undefined) return 0;
  return Math.max(0, resumedAtMs - Math.max(pausedAtMs, trialRemainder?.fromMs ?? startAtMs));
}
