import type { ApplicationSettings } from '../../shared/accounts/application-settings.ts';
import { defaultSettings } from '../../shared/accounts/default-settings.ts';
import { decimalsOf } from '../../shared/money/money.ts';

/**
 * The billing settings of an application, with defaults filled in. Each subscription keeps a copy, so that a
 * change of the settings applies from the next term on, like a change of the plan.
 */
export interface BillingPolicy {
  /** Days before the end of the trial on which the reminder and the invoice are sent. */
  trialReminderDays: number;
  /** Days before the end of the term on which the invoice of the next term is sent. */
  renewalDays: number;
  dueDays: number;
  /** Days after the end of the term on which reminders are sent, ascending. */
  reminderDays: readonly number[];
  endsAfterDays: number;
  /** Days after the end of the term during which access stays full. */
  graceDays: number;
  /** Where a term starts that replaces an overdue one. With `old_end`, days of grace are not given away. */
  newTermStart: 'old_end' | 'now';
  pendingAccess: 'none' | 'restricted' | 'full';
  checkoutMinutes: number;
  payments: {
    tolerance: number;
    reviveDays: number;
    onRefund: 'keep' | 'cancel';
    processingAccess: 'unchanged' | 'full' | 'restricted' | 'none';
  };
}

/**
 * How much may be missing from a payment that pays an invoice, in minor units. Rounded down where the currency has fewer
 * decimals than the setting.
 */
export function toleranceMinor(policy: Pick<BillingPolicy, 'payments'>, currency: string): number {
  const scale = 10 ** decimalsOf(currency);
  // Half a unit of the ninth decimal: 0.29 * 100 is less than 29.
  return Math.floor(policy.payments.tolerance * scale + 1e-9);
}

/** The billing policy of an application, with defaults for settings that are not set. */
export function billingPolicy(settings: ApplicationSettings): BillingPolicy {
  const { dunning, trial, invoices, payments } = defaultSettings;
  return {
    trialReminderDays: settings.trial?.reminderDays ?? trial.reminderDays,
    renewalDays: settings.invoices?.renewalDays ?? invoices.renewalDays,
    dueDays: settings.invoices?.dueDays ?? invoices.dueDays,
    reminderDays: settings.dunning?.reminderDays ?? dunning.reminderDays,
    endsAfterDays: settings.dunning?.endsAfterDays ?? dunning.endsAfterDays,
    graceDays: settings.dunning?.graceDays ?? dunning.graceDays,
    newTermStart: settings.dunning?.newTermStart ?? dunning.newTermStart,
    pendingAccess: settings.pendingAccess ?? defaultSettings.pendingAccess,
    checkoutMinutes: settings.checkoutMinutes ?? defaultSettings.checkoutMinutes,
    payments: {
      tolerance: settings.payments?.tolerance ?? payments.tolerance,
      reviveDays: settings.payments?.reviveDays ?? payments.reviveDays,
      onRefund: settings.payments?.onRefund ?? payments.onRefund,
      processingAccess: settings.payments?.processingAccess ?? payments.processingAccess,
    },
  };
}

/** The payment gateway of an application; `none`: bank transfer. */
export function paymentGateway(settings: ApplicationSettings): 'none' | 'sandbox' | 'stripe' {
  return settings.paymentGateway ?? defaultSettings.paymentGateway;
}

/**
 * Whether payments go through the sandbox.
 *
 * @param gateway of the application.
 * @param isOn whether the deployment has the sandbox (`sandboxGateway`).
 */
export function isSandboxAvailable(gateway: ReturnType<typeof paymentGateway>, isOn: boolean): boolean {
  return gateway === 'sandbox' && isOn;
}

/** Whether a client gets only one trial, over all plans. */
export function oneTrialOnly(settings: ApplicationSettings): boolean {
  return settings.trial?.oncePerClient ?? defaultSettings.trial.oncePerClient;
}
