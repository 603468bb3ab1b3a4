import type { CreditNote } from '../../invoices/credit-note.ts';
import { dueMinor, sumDueMinor } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { quoted } from '../../shared/html/text.ts';
import { type Mail as MailFrame, webUrl } from '../../shared/mail/layout.ts';
import { formatAmount } from '../../shared/money/format.ts';
import type { MailTemplate, mailRules } from '../../subscriptions/record/mail-rules.ts';
import type { MailFacts, MoneyCause } from '../../subscriptions/record/outbox-entry.ts';
import { hasEnded, type Subscription } from '../../subscriptions/record/subscription.ts';

/** The part of a mail that its template says: the subject follows the name of the seller, and the blocks follow the greeting. */
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

/** A mail about a subscription. The invoice and the credit notes that its entry names are attached. */
interface AnyMail {
  content: (context: EmailContext) => EmailContent;
  /**
   * A mail without what it needs is dropped when it is about to be sent. `due invoice`: its invoice, if it has one, is open, or
   * owed after the end.
   */
  needs?: 'open invoice' | 'due invoice' | 'billing page';
  /** Whether its news was undone before it is sent. It is dropped then: a later mail says what holds. */
  isOutdated?: (
    subscription: Pick<Subscription, 'cancelAtPeriodEnd' | 'autoRenew' | 'status' | 'plannedChange'>,
  ) => boolean;
}

/** A mail whose news a later mail of the same moment can tell. */
export interface MergedMail extends AnyMail {
  /** The news, for the later mail. */
  sentence: (news: NewsInWords) => string;
}

/** A mail whose news is in no other mail. */
interface UnmergedMail extends AnyMail {
  sentence?: never;
}

/** The mails by their templates, by what becomes of each when another one follows. */
export type Mails = {
  readonly [Template in MailTemplate]: (typeof mailRules)[Template]['followed'] extends 'merged'
    ? MergedMail
    : UnmergedMail;
};

/** The facts of a merged mail, with the paid term as it is now. */
interface NewsInWords {
  /** The end of the term or the trial at the time of the change. */
  end: string;
  payment: string;
  /** That the payment arrived, or came back, as the beginning of a sentence. */
  arrived: string;
  cause: MoneyCause | undefined;
  isStated: true | undefined;
  credit: string | undefined;
  /** A sentence about what was taken from the credit, or nothing. */
  taken: string;
  /** Undefined when the term is over: `over` names it then. */
  until: string | undefined;
  over: string;
  seller: string;
}
