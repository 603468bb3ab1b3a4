import type { Invoice } from '../../invoices/invoice.ts';
import type { Mail, MailTemplate } from '../../subscriptions/record/outbox-entry.ts';
import { hasEnded, type Subscription } from '../../subscriptions/record/subscription.ts';

/** The mails that ask for the payment of their invoice. */
const asksForPayment: ReadonlySet<MailTemplate> = new Set([
  'invoice',
  'trial_reminder',
  'payment_reminder',
  'renewal',
  'dunning_reminder',
  'payment_reversed',
]);

/**
 * Whether a mail is no longer true when it is about to be sent: its invoice was paid or closed in the meantime, or what it
 * announces was undone. A later mail says what holds.
 */
export function isOutdated(
  { template }: Pick<Mail, 'template'>,
  invoice: Invoice | undefined,
  subscription:
    | Pick<Subscription, 'cancelAtPeriodEnd' | 'autoRenew' | 'status' | 'plannedChange'>
    | undefined,
): boolean {
  if (asksForPayment.has(template) && invoice?.status !== 'open') return true;
  if (subscription === undefined) return false;
  const { cancelAtPeriodEnd, autoRenew, status, plannedChange } = subscription;
  const isOver = hasEnded(status);
  switch (template) {
    case 'trial_reminder':
      return cancelAtPeriodEnd;
    case 'renewal':
      return cancelAtPeriodEnd || !autoRenew;
    case 'cancellation_scheduled':
      return !cancelAtPeriodEnd || isOver;
    case 'cancellation_undone':
      return cancelAtPeriodEnd || isOver;
    case 'renewal_off':
      return autoRenew || isOver;
    case 'renewal_on':
      return !autoRenew || isOver;
    case 'plan_change_scheduled':
      return plannedChange === undefined || isOver;
    case 'plan_change_undone':
      return plannedChange !== undefined || isOver;
    case 'time_granted':
      return isOver;
    // A late payment or a dispute that was won revived the subscription: the mail about it says so.
    case 'expired':
    case 'trial_ended':
      return !isOver;
    default:
      return false;
  }
}
