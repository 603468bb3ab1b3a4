import type { ApplicationSettings } from '../../shared/accounts/application-settings.ts';
import { defaultSettings } from '../../shared/accounts/default-settings.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import { shownState } from './state-in-words.ts';

/** The actions that an application offers on the billing page. */
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

/** Whether a cancellation at the end of the period would change anything now. */
export function canCancel(subscription: Subscription, nowMs: number): boolean {
  const { status, cancelAtPeriodEnd, autoRenew } = subscription;
  const state = shownState(subscription, nowMs);
  if (cancelAtPeriodEnd || state === 'ended') return false;
  return status === 'trialing' || (status === 'active' && autoRenew && state === 'active');
}

/** Whether a cancellation at the end of the period can still be undone. */
export function canUndoCancel(subscription: Subscription, nowMs: number): boolean {
  const { status, cancelAtPeriodEnd } = subscription;
  const isRunning = status === 'trialing' || status === 'active';
  return isRunning && cancelAtPeriodEnd && shownState(subscription, nowMs) === 'ending';
}
