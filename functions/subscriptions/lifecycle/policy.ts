import { type ApplicationSettings, defaultSettings } from '../../shared/accounts/application-settings.ts';

/**
 * How an application treats its subscribers, complete: what it has not set is as by default. Kept with each
 * subscription, so that a change of the settings applies from the next term on, like one of the plan.
 */
export interface BillingPolicy {
  /** Days before the trial ends that its reminder and invoice are sent. */
  trialReminderDays: number;
  /** Days before the term ends that the next one's invoice is sent. */
  renewalDays: number;
  /** Days to pay the first invoice. */
  dueDays: number;
  /** Days after the end of the term, rising. */
  reminderDays: readonly number[];
  endsAfterDays: number;
  /** So long access stays full. */
  graceDays: number;
  pendingAccess: 'none' | 'restricted' | 'full';
  checkoutMinutes: number;
}

export function billingPolicy(settings: ApplicationSettings): BillingPolicy {
  const { dunning, trial, invoices } = defaultSettings;
  return {
    trialReminderDays: settings.trial?.reminderDays ?? trial.reminderDays,
    renewalDays: settings.invoices?.renewalDays ?? invoices.renewalDays,
    dueDays: settings.invoices?.dueDays ?? invoices.dueDays,
    reminderDays: settings.dunning?.reminderDays ?? dunning.reminderDays,
    endsAfterDays: settings.dunning?.endsAfterDays ?? dunning.endsAfterDays,
    graceDays: settings.dunning?.graceDays ?? dunning.graceDays,
    pendingAccess: settings.pendingAccess ?? defaultSettings.pendingAccess,
    checkoutMinutes: settings.checkoutMinutes ?? defaultSettings.checkoutMinutes,
  };
}

/** What an application is paid through. */
export function paymentGateway(settings: ApplicationSettings): 'none' | 'sandbox' | 'stripe' {
  return settings.paymentGateway ?? defaultSettings.paymentGateway;
}

/** Whether a client gets one trial only, whatever he subscribes to. */
export function oneTrialOnly(settings: ApplicationSettings): boolean {
  return settings.trial?.oncePerClient ?? defaultSettings.trial.oncePerClient;
}
