/** The state of a subscription in a few words, for tables. */

import { sumDueMinor } from '../../invoices/due.ts';
import { planAmount } from '../../invoices/invoice.ts';
import type { Application } from '../../shared/accounts/applications.ts';
import { formatAmount } from '../../shared/money/format.ts';
import { hasEnded, type Subscription } from '../../subscriptions/record/subscription.ts';
import { time } from '../pages/blocks.ts';
import { type Crumbs, withQuery } from '../pages/visit.ts';

/** The names of the pages that a page of a customer of an application is within. */
export const customersOf = ({
  applicationId,
  name,
}: Pick<Application, 'applicationId' | 'name'>): Crumbs => ({
  [withQuery('/console/customers', { application: applicationId })]: name || applicationId,
});

/** The name of a code for people: `past_due` is `past due`. */
export const named = (code: string): string => code.replaceAll('_', ' ');

/** `active, cancelled at the end of the period` */
export function statusText({ status, cancelAtPeriodEnd, autoRenew }: Subscription): string {
  if (hasEnded(status)) return named(status);
  if (cancelAtPeriodEnd) return `${named(status)}, cancelled at the end of the period`;
  return autoRenew ? named(status) : `${named(status)}, does not renew`;
}

/** The next step that runs by itself, and when. */
export function nextStepOf({ timer }: Subscription): string {
  return timer === undefined ? 'none' : `${named(timer.step)}, ${time(timer.dueAtMs)}`;
}

/** The amount that is due of the open invoices; without any, the price of the next term. */
export function amountOf({ openInvoices, status, plan, plannedChange = plan }: Subscription): string {
  const dueMinor = sumDueMinor(openInvoices, plan.currency);
  if (dueMinor > 0) return `${formatAmount(dueMinor, plan.currency)} due`;
  return hasEnded(status) ? 'none' : formatAmount(planAmount(plannedChange), plannedChange.currency);
}
