import { type BillingCycle, termPrice } from '../../../plans/plan.ts';
import { formatDate, quoted } from '../../../shared/html/text.ts';
import type { Block, Line } from '../../../shared/mail/layout.ts';
import { formatAmount } from '../../../shared/money/format.ts';
import type { MailFacts } from '../../../subscriptions/record/outbox-entry.ts';
import { heading, inQuantity, paragraph } from '../blocks.ts';
import type { EmailContext } from '../mail.ts';

/** The plan and the price before a change, and after it, as a part of a sentence. */
export function fromPlanToPlan(context: EmailContext): Exclude<Line, string> {
  const { facts, plan } = context;
  const {
    formerPlanName = '',
    formerPriceMinor,
    formerBillingCycle,
    priceMinor,
    billingCycle,
    currency,
  } = facts;
  const price = (minor: number, cycle: BillingCycle) => ` (${termPrice(minor, currency, cycle)})`;
  const former =
    formerPriceMinor === undefined || formerBillingCycle === undefined
      ? ''
      : price(formerPriceMinor, formerBillingCycle);
  const name = quoted(formerPlanName);
  return [
    ...(name === '' ? [] : [' from ', { strong: inQuantity(name, facts.formerQuantity) }, former]),
    ' to ',
    { strong: inQuantity(plan, facts.quantity) },
    price(priceMinor, billingCycle),
  ];
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
    paragraph([
      'It changes ',
      { strong: changeDay(facts) },
      ` from ${from} to `,
      { strong: to },
      `. ${otherwise}`,
    ]),
  ];
}

/** When the plan or its price changes, as a part of a sentence. */
export const changeDay = (facts: MailFacts, format = formatDate): string =>
  facts.changesAtMs === undefined ? 'with your next term' : `on ${format(facts.changesAtMs, facts)}`;

export const isOfQuantity = ({ facts }: EmailContext): boolean =>
  facts.planName === facts.formerPlanName && facts.quantity !== facts.formerQuantity;

export const atPrice = ({ facts: { priceMinor, currency, billingCycle } }: EmailContext): string =>
  termPrice(priceMinor, currency, billingCycle);

/** The money of a change of plan: what became credit, and what is due. */
export function moneyOfChange(context: EmailContext): string {
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
