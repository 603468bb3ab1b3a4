import { bankRows } from '../../invoices/document/content.ts';
import { dueMinor, sumDueMinor } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { givenUpMinor } from '../../ledger/settled.ts';
import { termPrice } from '../../plans/term-lengths.ts';
import { formatDate, plainText } from '../../shared/html/text.ts';
import type { Block, Line } from '../../shared/mail/layout.ts';
import { formatAmount } from '../../shared/money/format.ts';
import type { MailFacts, MoneyCause } from '../../subscriptions/record/outbox-entry.ts';
import type { OpenInvoice } from '../../subscriptions/record/subscription.ts';
import type { EmailContext } from './mail.ts';

/** A sentence about the amount that is owed of an invoice after the end, because its term was granted; undefined for none. */
export function stillOwed({ facts, invoice, subscription }: EmailContext): string | undefined {
  if (invoice === undefined || !isOwed(invoice, subscription)) return undefined;
  const amount = formatAmount(givenUpMinor(invoice.settled), invoice.currency);
  return `Its term was granted to you, so ${amount} is still owed. ${settling(facts)}`;
}

/** Whether an invoice is owed after the end of its subscription. */
export const isOwed = ({ n, status }: Invoice, subscription: EmailContext['subscription']): boolean =>
  status === 'uncollectible' && subscription?.debts?.includes(n) === true;

/** The effect of a payment for what is owed after the end, as a sentence. */
export const settling = ({ referenceNumber }: MailFacts): string =>
  `A payment with the reference ${plainText(referenceNumber)} settles what is owed, and what is left of it becomes your credit.`;

/**
 * The amount of the subscription that is open, or owed after its end, as a sentence; undefined when nothing is due.
 *
 * @param of which invoice it is of.
 */
export function stillOpen(context: EmailContext, of = ' of another invoice'): string | undefined {
  const { facts, nowMs, subscription } = context;
  const { openMinor = 0, currency } = facts;
  const others = openMinor > 0 ? [{ currency, totalMinor: openMinor, dueAtMs: nowMs }] : [];
  const known: readonly (Pick<OpenInvoice, 'dueAtMs' | 'planOnPayment'> &
    Parameters<typeof dueMinor>[0] & { currency: string })[] = subscription?.openInvoices ?? others;
  if (known.length === 0) return stillOwed(context);
  const currencies = new Set(known.map((invoice) => invoice.currency));
  const amounts = [...currencies].map((code) => formatAmount(sumDueMinor(known, code), code));
  // A renewal is due at the end of the term, a change of plan by its own date, and a payment that was taken back at once.
  const dueAtMs = Math.min(
    ...known.map((invoice) => invoice.dueAtMs ?? (invoice.planOnPayment && subscription?.termEndMs) ?? nowMs),
  );
  const due = dueAtMs > nowMs ? `Please pay it by ${formatDate(dueAtMs, facts)}` : 'Please pay it now';
  return `${amounts.join(' and ')}${of} is still due. ${due}: its mail says how.`;
}

/** By when the invoice is to be paid, as the end of a sentence. */
export function dueBy(context: EmailContext): string {
  const { invoice, facts } = context;
  if (invoice === undefined) return '';
  return isOverdue(context) ? ' now' : ` by ${formatDate(invoice.dueAtMs, facts)}`;
}

export function isOverdue({ invoice, nowMs }: EmailContext): boolean {
  return invoice !== undefined && invoice.dueAtMs <= nowMs;
}

/** A line of text, and of parts such as {@link strong} ones. */
export const line = (texts: TemplateStringsArray, ...parts: readonly Line[]): Exclude<Line, string> =>
  texts.flatMap((text, i) => [text, parts[i] ?? []].flat()).filter((part) => part !== '');

export const strong = (text: string): Line => [{ strong: text }];

export const paragraph = (content: Line): Block => ({ kind: 'paragraph', content });

export const heading = (content: string): Block => ({ kind: 'heading', content });

/** The plan, its price, and the dates of the invoice. */
export function invoiceFacts(context: EmailContext): Block {
  const { facts, invoice } = context;
  const price = `${inQuantity(context.plan, facts.quantity)}, ${atPrice(context)}`;
  const rows: (readonly [string, string])[] = [['Plan', price]];
  if (invoice === undefined) return { kind: 'facts', rows };
  const { number, totalMinor, currency, periodStartMs, periodEndMs, status, paidAtMs, dueAtMs, settled } =
    invoice;
  if (periodStartMs !== undefined && periodEndMs !== undefined) {
    rows.push(['Term', `${formatDate(periodStartMs, facts)} to ${formatDate(periodEndMs, facts)}`]);
  }
  rows.push(['Invoice', number], ['Amount', formatAmount(totalMinor, currency)]);
  if (status === 'open' && dueMinor(invoice) !== totalMinor)
    rows.push(['Still to pay', formatAmount(dueMinor(invoice), currency)]);
  if (status === 'open') rows.push(['Due', formatDate(dueAtMs, facts)]);
  if (status === 'paid' && paidAtMs !== undefined) rows.push(['Paid', formatDate(paidAtMs, facts)]);
  // The document of its issue, which does not come with a receipt, has stated it.
  const { fromCreditMinor = 0 } = settled ?? {};
  if (status === 'paid' && fromCreditMinor > 0)
    rows.push(['From your credit', formatAmount(fromCreditMinor, currency)]);
  return { kind: 'facts', rows };
}

export const inQuantity = (plan: string, quantity?: number) =>
  quantity === undefined ? plan : `${quantity} × ${plan}`;

export const atPrice = ({ facts: { priceMinor, currency, billingCycle } }: EmailContext): string =>
  termPrice(priceMinor, currency, billingCycle);

export const invoiceAndPayment = (context: EmailContext): Block[] => [
  invoiceFacts(context),
  ...paymentInstructions(context),
];

/** Bank account and reference for a transfer, or the link to the payment page; empty when no invoice is open. */
function paymentInstructions({ facts, invoice, payUrl, seller, amount }: EmailContext): Block[] {
  if (invoice?.status !== 'open') return [];
  if (invoice.gateway === 'none') {
    const rows = bankRows(invoice.seller.banking ?? { accountHolder: '', bankName: '' });
    const where = rows.length > 0 ? ' to the account below' : `, as agreed with ${seller}`;
    return [
      heading('How to pay'),
      paragraph(line`Please pay ${strong(amount)}${where}, and name this payment reference:`),
      { kind: 'code', code: facts.referenceNumber },
      ...(rows.length > 0 ? [paragraph(`Text from ${seller}:`), { kind: 'facts' as const, rows }] : []),
      { kind: 'note', content: 'The reference is how the payment is matched with your subscription.' },
    ];
  }
  const own = formatAmount(dueMinor(invoice), invoice.currency);
  const others = `This pays ${own}. In all, ${amount} is open: the other invoices are paid by the links in their mails.`;
  const rest: Block[] = own === amount ? [] : [{ kind: 'note', content: others }];
  return payUrl === undefined
    ? [heading('How to pay'), paragraph(`Please pay where you use ${seller}.`), ...rest]
    : [{ kind: 'button', label: `Pay ${own}`, url: payUrl }, ...rest];
}

/** The credit that a client has, or owes, when a subscription ends or will end, as a sentence. */
export function creditBalance({ facts: { balanceMinor = 0, currency }, seller }: EmailContext): string {
  if (balanceMinor === 0) return '';
  const amount = formatAmount(Math.abs(balanceMinor), currency);
  return balanceMinor > 0
    ? ` Your credit at ${seller} is ${amount}: your next invoice there uses it, or ask for it back.`
    : ` You owe ${amount}, which was taken back after it had been used or sent back: your next invoice at ${seller} asks for it.`;
}

export const paymentAmount = ({ facts: { paymentMinor = 0, currency } }: EmailContext) =>
  formatAmount(paymentMinor, currency);

/** Money that arrives, or that comes back, around its amount. */
const arrivals: Readonly<
  Record<
    MoneyCause | 'payment',
    { before: string; after: string; subject: (part: string) => string; heading: string }
  >
> = {
  payment: {
    before: 'Thank you: ',
    after: ' has arrived',
    subject: (part) => `${part} received`,
    heading: 'Your payment has arrived',
  },
  refund_failed: {
    before: 'A refund to you has failed: ',
    after: ' did not reach you',
    subject: (part) => `a refund of ${part} failed`,
    heading: 'A refund has failed',
  },
  dispute_won: {
    before: 'A payment that was taken back is valid after all: ',
    after: ' is back',
    subject: (part) => `${part} is back`,
    heading: 'Your payment was restored',
  },
};

/** That the payment of a mail arrived, or came back. The second part begins with a space, and ends no sentence. */
export function arrival(context: EmailContext) {
  const { before, after, subject, heading: title } = arrivals[context.facts.cause ?? 'payment'];
  const part = paymentAmount(context);
  return { line: line`${before}${strong(part)}${after}`, subject: subject(part), heading: title };
}

export function arrivedSentence(cause: MoneyCause | undefined, payment: string): string {
  const { before, after } = arrivals[cause ?? 'payment'];
  return `${before}${payment}${after}`;
}

/** The amount that a refund, a pay-out or a reversal took from the credit, as a sentence. */
export function takenFromCreditSentence({
  creditMinor = 0,
  balanceMinor = 0,
  currency,
}: Pick<MailFacts, 'creditMinor' | 'balanceMinor' | 'currency'>): string {
  if (creditMinor >= 0) return '';
  const amount = (minor: number) => formatAmount(minor, currency);
  const of = ` ${amount(-creditMinor)} of it was taken from your credit.`;
  const goneMinor = Math.min(-balanceMinor, -creditMinor);
  return goneMinor > 0
    ? `${of} ${amount(goneMinor)} of that had been used or sent back before: your next invoice asks for it.`
    : of;
}
