import { issuedInvoice } from '../../invoices/document/issued.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { formatDate, formatTime, plainText, quoted } from '../../shared/html/text.ts';
import { productName } from '../../shared/html/theme.ts';
import { type Block, type MailContent, renderMail } from '../../shared/mail/layout.ts';
import { formatAmount } from '../../shared/money/format.ts';
import type { Mail } from '../../subscriptions/record/outbox-entry.ts';
import { arrivedSentence, paragraph, takenFromCreditSentence } from './blocks.ts';
import { type EmailContext, emailContext, type MailSituation } from './mail.ts';
import { mails } from './registry.ts';

/**
 * A mail about a subscription, as HTML and as text. Names in it are untrusted, and marked as text of the application.
 *
 * @param invoice the current invoice. The caller attaches its PDF, which the footer mentions.
 * @param situation when it is sent. The URLs of the payment page and of the billing page are omitted unless http(s).
 */
export function subscriptionMail(
  { template, facts }: Pick<Mail, 'template' | 'facts'>,
  invoice: Invoice | undefined,
  situation: MailSituation = {},
): MailContent {
  const context = emailContext(facts, invoice, situation);
  const { billingUrl } = context;
  const { subject, blocks, ...mail } = mails[template].content(context);
  return renderMail({
    ...mail,
    subject: `${quoted(facts.seller, 40) || 'The application'}: ${subject}`,
    blocks: [greeting(facts), ...newsBlocks(context), ...blocks],
    footer: [
      ...(billingUrl === undefined ? [] : [[{ label: 'Manage your subscription', url: billingUrl }]]),
      ...attached(invoice, situation.creditNotes),
      `This mail is about subscription ${plainText(facts.referenceNumber)} of ${context.seller}.`,
      `What is in quotation marks is text from ${context.seller}.`,
      `${productName} sends it for ${context.seller}, where this address is registered.`,
    ],
  });
}

function greeting({ customerName = '' }: Mail['facts']): Block {
  const name = quoted(customerName);
  return paragraph(name === '' ? 'Hello,' : `Hello ${name},`);
}

/** An invoice whose document says of its payment what is so: it never changes, and a payment can come after it, or be taken back. */
export function isAttached(invoice: Invoice | undefined): invoice is Invoice {
  if (invoice === undefined) return false;
  const isStatedAsPaid = issuedInvoice(invoice).dueMinor <= 0;
  return invoice.status === (isStatedAsPaid ? 'paid' : 'open');
}

const isPaid = ({ status }: Invoice) => (status === 'paid' ? ', which is paid,' : '');

function attached(invoice: Invoice | undefined, creditNotes: MailSituation['creditNotes'] = []): string[] {
  const documents = [
    ...(isAttached(invoice) ? [`Invoice ${plainText(invoice.number)}${isPaid(invoice)}`] : []),
    ...creditNotes.map(
      ({ number, invoiceNumber, reason }) =>
        `Credit note ${plainText(number)}${reason === 'cancellation' ? `, which cancels invoice ${plainText(invoiceNumber)},` : ''}`,
    ),
  ];
  return documents.map((document) => `${document} is attached as PDF.`);
}

/** The news of mails that are merged with this one, a sentence each. */
function newsBlocks({ facts, nowMs, subscription, seller, paidUntilMs }: EmailContext): Block[] {
  return (facts.news ?? []).flatMap(({ template, endsMs, ...money }) => {
    const { paymentMinor = 0, creditMinor = 0, currency = facts.currency } = money;
    const untilMs = (subscription === undefined ? endsMs : paidUntilMs) ?? 0;
    const sentence = mails[template].sentence?.({
      end: formatTime(endsMs, facts),
      seller,
      payment: formatAmount(paymentMinor, currency),
      arrived: arrivedSentence(money.cause, formatAmount(paymentMinor, currency)),
      cause: money.cause,
      isStated: money.isStated,
      credit: creditMinor <= 0 ? undefined : formatAmount(creditMinor, currency),
      taken: takenFromCreditSentence({ ...money, currency }),
      until: untilMs > nowMs ? formatTime(untilMs, facts) : undefined,
      over:
        untilMs > nowMs || untilMs === 0 ? '' : ` for the term that ended on ${formatDate(untilMs, facts)}`,
    });
    return sentence === undefined ? [] : [paragraph(sentence)];
  });
}
