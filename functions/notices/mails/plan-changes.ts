/** Mails about changes of plan, and the words for plans and prices. */

import type { BillingCycle } from '../../plans/plan.ts';
import { termPrice } from '../../plans/term-lengths.ts';
import { formatDate, formatTime, quoted } from '../../shared/html/text.ts';
import type { Block, Line } from '../../shared/mail/layout.ts';
import { formatAmount } from '../../shared/money/format.ts';
import type { MailFacts } from '../../subscriptions/record/outbox-entry.ts';
import { hasEnded } from '../../subscriptions/record/subscription.ts';
import { atPrice, dueBy, heading, inQuantity, invoiceAndPayment, line, paragraph, strong } from './blocks.ts';
import type { EmailContext, Mails } from './mail.ts';

const formerInvoice = 'An invoice for the next term from before this change, if you have one, is void';

const wasCredited = (credit: string | undefined): string =>
  credit === undefined ? '' : ` ${credit} that had been paid of it is credited to you.`;

export const planChanges = {
  /** With what became credit, and with the invoice of the difference or of the next term. */
  plan_changed: {
    content(context) {
      const { plan, seller, facts } = context;
      const what = changed(context);
      const { priceFromMs } = facts;
      const price =
        priceFromMs === undefined ? '' : ` The new price applies from ${formatDate(priceFromMs, facts)} on.`;
      return {
        subject: `your ${what} has changed${pleasePay(context)}`,
        preheader: `You now have ${inQuantity(plan, facts.quantity)}.`,
        heading: `Your ${what} has changed`,
        blocks: [
          paragraph(
            line`Your subscription at ${strong(seller)} has changed${fromPlanToPlan(context)}.${price}${moneyOfChange(context)}`,
          ),
          ...invoiceAndPayment(context),
        ],
      };
    },
  },

  plan_change_scheduled: {
    sentence: ({ end, credit }) => `Your plan changes on ${end}. ${formerInvoice}.${wasCredited(credit)}`,
    isOutdated: ({ plannedChange, status }) => plannedChange === undefined || hasEnded(status),
    content(context) {
      const { seller, facts } = context;
      const what = changed(context);
      const day = changeDay(facts, formatTime);
      return {
        subject: `your ${what} changes ${changeDay(facts)}${pleasePay(context)}`,
        preheader: `Until then, everything stays as it is.`,
        heading: `Your ${what} will change`,
        blocks: [
          paragraph(
            line`Your subscription at ${strong(seller)} changes ${strong(day)}${fromPlanToPlan(context)}. Until then, everything stays as it is. ${formerInvoice}: a new one replaces it.${moneyOfChange(context)}`,
          ),
          ...invoiceAndPayment(context),
        ],
      };
    },
  },

  plan_change_undone: {
    sentence: ({ credit }) => `Your plan stays as it is. ${formerInvoice}.${wasCredited(credit)}`,
    isOutdated: ({ plannedChange, status }) => plannedChange !== undefined || hasEnded(status),
    content(context) {
      const { plan, seller, facts } = context;
      const name = quoted(facts.formerPlanName ?? '');
      const former = name === '' ? '' : ` to ${name}`;
      return {
        subject: `your plan stays as it is${pleasePay(context)}`,
        preheader: 'The planned change will not happen.',
        heading: 'Your plan stays as it is',
        blocks: [
          paragraph(
            line`Your subscription at ${strong(seller)} stays with ${strong(plan)}, at ${atPrice(context)}. The planned change${former} will not happen. ${formerInvoice}: a new one replaces it.${moneyOfChange(context)}`,
          ),
          ...invoiceAndPayment(context),
        ],
      };
    },
  },
} satisfies Partial<Mails>;

const changed = ({ facts }: EmailContext) =>
  facts.planName === facts.formerPlanName && facts.quantity !== facts.formerQuantity ? 'quantity' : 'plan';

const pleasePay = (context: EmailContext): string =>
  context.invoice?.status === 'open' ? `, please pay ${context.amount}${dueBy(context)}` : '';

/** The plan and the price before a change, and after it, as a part of a sentence. */
function fromPlanToPlan({ facts, plan }: EmailContext): Line {
  const { formerPlanName = '', formerPriceMinor, formerBillingCycle, formerQuantity, currency } = facts;
  const price = (minor: number, cycle: BillingCycle) => ` (${termPrice(minor, currency, cycle)})`;
  const name = quoted(formerPlanName);
  const isPriced = formerPriceMinor !== undefined && formerBillingCycle !== undefined;
  const formerPrice = isPriced ? price(formerPriceMinor, formerBillingCycle) : '';
  const from = name === '' ? '' : line` from ${strong(inQuantity(name, formerQuantity))}${formerPrice}`;
  return line`${from} to ${strong(inQuantity(plan, facts.quantity))}${price(facts.priceMinor, facts.billingCycle)}`;
}

/**
 * The price of the next term where it differs from that of the present one, from when, and how not to pay it.
 *
 * @param otherwise how the client avoids the new price, as a sentence.
 */
export function priceChange({ facts }: EmailContext, otherwise: string): Block[] {
  const { formerPriceMinor, formerBillingCycle, priceMinor, billingCycle, currency } = facts;
  if (formerPriceMinor === undefined || formerBillingCycle === undefined) return [];
  const from = termPrice(formerPriceMinor, currency, formerBillingCycle);
  const to = termPrice(priceMinor, currency, billingCycle);
  return [
    heading('The price changes'),
    paragraph(line`It changes ${strong(changeDay(facts))} from ${from} to ${strong(to)}. ${otherwise}`),
  ];
}

/** When the plan or its price changes, as a part of a sentence. */
const changeDay = (facts: MailFacts, format = formatDate): string =>
  facts.changesAtMs === undefined ? 'with your next term' : `on ${format(facts.changesAtMs, facts)}`;

/** The money of a change of plan: what became credit, and what is due. */
function moneyOfChange(context: EmailContext): string {
  const { facts, invoice, amount } = context;
  const { creditMinor = 0, currency } = facts;
  const credited =
    creditMinor > 0
      ? ` ${formatAmount(creditMinor, currency)} that you have paid before is credited to you.`
      : '';
  if (invoice?.status === 'open') {
    const usedMinor = invoice.settled?.fromCreditMinor ?? 0;
    const used =
      usedMinor > 0 ? ` The invoice uses ${formatAmount(usedMinor, currency)} of your credit:` : '';
    return `${credited}${used} ${amount} is due${period(context)}.`;
  }
  if (invoice?.status === 'paid' && invoice.totalMinor > 0)
    return `${credited} Your credit pays the invoice${period(context)}: there is nothing to pay for this.`;
  return credited === '' ? ' There is nothing to pay for this.' : `${credited} Your next invoice uses it.`;
}

function period({ invoice, facts }: EmailContext): string {
  const { periodStartMs, periodEndMs } = invoice ?? {};
  return periodStartMs === undefined || periodEndMs === undefined
    ? ''
    : ` for ${formatDate(periodStartMs, facts)} to ${formatDate(periodEndMs, facts)}`;
}
