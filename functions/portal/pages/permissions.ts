import type { ApplicationSettings } from '../../shared/accounts/application-settings.ts';
import { defaultSettings } from '../../shared/accounts/default-settings.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import { periodEndOf, shownState } from './state-in-words.ts';

export type BillingPageSettings = Record<keyof (typeof defaultSettings)['billingPage'], boolean>;

/** The settings of the billing page, with defaults for those that are not set. */
export function billingPageSettings({ billingPage }: ApplicationSettings): BillingPageSettings {
  const { enabled, pay, cancel, undoCancel, invoiceName, replaceLink } = defaultSettings.billingPage;
  return {
    enabled: billingPage?.enabled ?? enabled,
    pay: billingPage?.pay ?? pay,
    cancel: billingPage?.cancel ?? cancel,
    undoCancel: billingPage?.undoCancel ?? undoCancel,
    invoiceName: billingPage?.invoiceName ?? invoiceName,
    replaceLink: billingPage?.replaceLink ?? replaceLink,
  };
}

/** When a cancellation would end the subscription, epoch milliseconds; undefined when it would change nothing. */
export function cancelsAtMs(subscription: Subscription, nowMs: number): number | undefined {
  const { cancelAtPeriodEnd, autoRenew } = subscription;
  const state = shownState(subscription, nowMs);
  if (cancelAtPeriodEnd || state === 'ended') return undefined;
  const isCancellable = subscription.status === 'trialing' || (autoRenew && state === 'active');
  return isCancellable ? periodEndOf(subscription) : undefined;
}

/** Until when a cancellation at the end of the period can be undone, epoch milliseconds; undefined when it cannot. */
export function undoableUntilMs(subscription: Subscription, nowMs: number): number | undefined {
  const isEnding = subscription.cancelAtPeriodEnd && shownState(subscription, nowMs) === 'ending';
  return isEnding ? periodEndOf(subscription) : undefined;
}
