import type { Subscription } from './subscription.ts';

/** So long a pause froze the subscription, milliseconds; before its start there is no time to be frozen. */
export function pausedDurationMs(
  {
    pausedAtMs,
    startAtMs,
    trialRemainder,
  }: Pick<Subscription, 'pausedAtMs' | 'startAtMs' | 'trialRemainder'>,
  resumedAtMs: number,
): number {
  if (pausedAtMs === undefined) return 0;
  return Math.max(0, resumedAtMs - Math.max(pausedAtMs, trialRemainder?.fromMs ?? startAtMs));
}
