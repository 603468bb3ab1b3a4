import type { Subscription } from './subscription.ts';

/** So long a pause froze the subscription, milliseconds; before its start there is no time to be frozen. */
export function frozenMs(
  { pausedAtMs, startAtMs, trialRest }: Pick<Subscription, 'pausedAtMs' | 'startAtMs' | 'trialRest'>,
  resumedAtMs: number,
): number {
  if (pausedAtMs === undefined) return 0;
  return Math.max(0, resumedAtMs - Math.max(pausedAtMs, trialRest?.fromMs ?? startAtMs));
}
