import type { SubscriptionMail } from './subscription-mails-store.ts';

/** The state of a mail. `held`: a quota of the application is used up, and it waits for the next day. */
export function mailState(
  { doneAtMs, droppedAtMs, givenUpAtMs, heldUntilMs = 0 }: SubscriptionMail,
  nowMs: number,
): 'sent' | 'dropped' | 'given_up' | 'held' | 'due' {
  if (doneAtMs !== undefined) return 'sent';
  if (droppedAtMs !== undefined) return 'dropped';
  if (givenUpAtMs !== undefined) return 'given_up';
  return heldUntilMs > nowMs ? 'held' : 'due';
}
