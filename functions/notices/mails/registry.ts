import type { MailTemplate } from '../../subscriptions/record/mail-rules.ts';
import { billingLink } from './changes/billing-link.ts';
import { cancellationScheduled } from './changes/cancellation-scheduled.ts';
import { cancellationUndone } from './changes/cancellation-undone.ts';
import { paused } from './changes/paused.ts';
import { planChangeScheduled } from './changes/plan-change-scheduled.ts';
import { planChangeUndone } from './changes/plan-change-undone.ts';
import { planChanged } from './changes/plan-changed.ts';
import { renewalOff } from './changes/renewal-off.ts';
import { renewalOn } from './changes/renewal-on.ts';
import { resumed } from './changes/resumed.ts';
import { timeGranted } from './changes/time-granted.ts';
import { trialExtended } from './changes/trial-extended.ts';
import { cancelled } from './ends/cancelled.ts';
import { expired } from './ends/expired.ts';
import { trialEnded } from './ends/trial-ended.ts';
import type { MailOf } from './mail.ts';
import { activated } from './payments/activated.ts';
import { debtPaid } from './payments/debt-paid.ts';
import { invoiceCredited } from './payments/invoice-credited.ts';
import { paidFromCredit } from './payments/paid-from-credit.ts';
import { partialPayment } from './payments/partial-payment.ts';
import { paymentCredited } from './payments/payment-credited.ts';
import { paymentRefunded } from './payments/payment-refunded.ts';
import { paymentReinstated } from './payments/payment-reinstated.ts';
import { dunningReminder } from './requests/dunning-reminder.ts';
import { invoice } from './requests/invoice.ts';
import { paymentMoved, paymentReversed } from './requests/payment-due-again.ts';
import { paymentReminder } from './requests/payment-reminder.ts';
import { renewal } from './requests/renewal.ts';
import { trialReminder } from './requests/trial-reminder.ts';

export const mails: { readonly [Template in MailTemplate]: MailOf<Template> } = {
  invoice,
  trial_reminder: trialReminder,
  renewal,
  dunning_reminder: dunningReminder,
  payment_reversed: paymentReversed,
  payment_moved: paymentMoved,
  payment_reminder: paymentReminder,
  activated,
  payment_reinstated: paymentReinstated,
  partial_payment: partialPayment,
  payment_credited: paymentCredited,
  debt_paid: debtPaid,
  paid_from_credit: paidFromCredit,
  payment_refunded: paymentRefunded,
  invoice_credited: invoiceCredited,
  plan_changed: planChanged,
  plan_change_scheduled: planChangeScheduled,
  plan_change_undone: planChangeUndone,
  cancellation_scheduled: cancellationScheduled,
  cancellation_undone: cancellationUndone,
  renewal_off: renewalOff,
  renewal_on: renewalOn,
  trial_extended: trialExtended,
  time_granted: timeGranted,
  paused,
  resumed,
  billing_link: billingLink,
  trial_ended: trialEnded,
  expired,
  cancelled,
};
