import type { CreditNote } from '../../invoices/credit-note.ts';
import { dueMinor, sumDueMinor } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { quoted } from '../../shared/html/text.ts';
import { type Mail as MailFrame, webUrl } from '../../shared/mail/layout.ts';
import { formatAmount } from '../../shared/money/format.ts';
import type { MailFacts } from '../../subscriptions/record/outbox-entry.ts';
import { hasEnded, type Subscription } from '../../subscriptions/record/subscription.ts';

export type EmailContent = Omit<MailFrame, 'footer'>;

/** The links of a mail: to the payment page of its invoice, and to the billing page of the subscription. */
interface MailUrls {
  payUrl?: string | undefined;
  billingUrl?: string | undefined;
}

/** The state of things when a mail is sent. Without a subscription, the facts of the mail count. */
export interface MailSituation extends MailUrls {
  nowMs?: number;
  subscription?: Subscription;
  creditNotes?: readonly Pick<CreditNote, 'number' | 'invoiceNumber' | 'reason'>[];
}

/** The input of a template. Names, which an application has chosen, are in quotation marks. */
export interface EmailContext {
  facts: MailFacts;
  invoice: Invoice | undefined;
  payUrl: string | undefined;
  billingUrl: string | undefined;
  seller: string;
  plan: string;
  /** The total amount due. */
  amount: string;
  /** When the paid term ends, as it is when the mail is sent; undefined after the end of the subscription. */
  paidUntilMs: number | undefined;
  nowMs: number;
  subscription: MailSituation['subscription'];
}

/** Prepares the input of a template: quotes names, and formats the amount due. */
export function emailContext(
  facts: MailFacts,
  invoice: Invoice | undefined,
  { payUrl, billingUrl, nowMs = 0, subscription }: MailSituation,
): EmailContext {
  const { currency, seller, planName } = facts;
  const invoiced = invoice === undefined ? facts.priceMinor : dueMinor(invoice);
  const dueCurrency = invoice?.currency ?? currency;
  const openMinor =
    facts.openMinor === undefined ? invoiced : (openIn(dueCurrency, subscription) ?? facts.openMinor);
  return {
    facts,
    invoice,
    payUrl: payUrl === undefined ? undefined : webUrl(payUrl),
    billingUrl: billingUrl === undefined ? undefined : webUrl(billingUrl),
    seller: quoted(seller) || 'the application',
    plan: quoted(planName) || 'your plan',
    amount: formatAmount(openMinor, dueCurrency),
    paidUntilMs: subscription === undefined ? facts.termEndMs : paidUntil(subscription),
    nowMs,
    subscription,
  };
}

function paidUntil({ status, termEndMs }: NonNullable<MailSituation['subscription']>): number | undefined {
  return hasEnded(status) ? undefined : termEndMs;
}

function openIn(currency: string, subscription: MailSituation['subscription']): number | undefined {
  const open = subscription?.openInvoices ?? [];
  return open.some((invoice) => invoice.currency === currency) ? sumDueMinor(open, currency) : undefined;
}
