import type { Subscription } from './subscription.ts';

/** So long a pause froze the subscription, milliseconds; before its start there is no time to be frozen. */
export function frozenMs(
  { pausedAtMs, startAtMs }: Pick<Subscription, 'pausedAtMs' | 'startAtMs'>,
  resumedAtMs: number,
): number {
  return pausedAtMs === undefined ? 0 : Math.max(0, resumedAtMs - Math.max(pausedAtMs, startAtMs));
}
