import type { sendMailWithAttachments } from '../../shared/mail/mailer.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../shared/runtime/duration.ts';
import { env } from '../../shared/runtime/env.ts';
import type { checkoutUrl } from '../checkout/link.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { invoicePdf } from '../invoices/pdf.ts';
import { invoiceStore } from '../invoices/store.ts';
import type { OutboxEntry } from '../lifecycle/outbox-entry.ts';
import type { closeCheckout } from '../stripe/expire-session.ts';
import { subscriptionMail } from './emails.ts';
import type { outboxStore } from './store.ts';

/** The dependencies of {@link deliver}. */
export interface DeliverDeps {
  outbox: typeof outboxStore;
  sendMail: typeof sendMailWithAttachments;
  checkoutUrl: typeof checkoutUrl;
  closeCheckout: typeof closeCheckout;
  clock: Clock;
}

/** An entry that could not be delivered for this long is dropped. */
const dropAfterMs = 3 * dayMs;
const sendTimeoutMs = 10 * secondMs;
const mailsAboutOpenInvoices = new Set([
  'invoice',
  'trial_reminder',
  'renewal',
  'dunning_reminder',
  'payment_reversed',
]);

/**
 * Delivers an entry of the outbox that the caller has leased.
 *
 * @param baseUrl of the links in mails, unless `PUBLIC_URL` is set.
 * @returns the error when the delivery failed: the entry stays due until it is three days old.
 */
export async function deliver(entry: OutboxEntry, baseUrl: string, deps: DeliverDeps): Promise<unknown> {
  const { outbox, clock } = deps;
  try {
    const isNeeded = await deliverEntry(entry, baseUrl, deps);
    await outbox.finish(entry, isNeeded ? 'doneAtMs' : 'droppedAtMs', clock.nowMs());
    return undefined;
  } catch (error) {
    const nowMs = clock.nowMs();
    const retryAtMs = nowMs + Math.min(hourMs, minuteMs * 2 ** entry.attempts);
    await (nowMs - entry.createdAtMs > dropAfterMs
      ? outbox.finish(entry, 'droppedAtMs', nowMs)
      : outbox.release(entry, retryAtMs, nowMs));
    return error;
  }
}

/** @returns false when the entry is no longer needed. */
async function deliverEntry(
  entry: OutboxEntry,
  baseUrl: string,
  { sendMail, checkoutUrl, closeCheckout, clock }: DeliverDeps,
): Promise<boolean> {
  const { subscriptionId, applicationId, invoiceN } = entry;
  if (entry.kind === 'close_checkout') {
    await closeCheckout({ applicationId, subscriptionId, invoiceN: entry.invoiceN }, clock.nowMs());
    return true;
  }
  const invoice = invoiceN === undefined ? undefined : await invoiceStore.get(subscriptionId, invoiceN);
  // The mail must not ask for a payment when the invoice was paid or voided in the meantime.
  if (mailsAboutOpenInvoices.has(entry.template) && invoice?.status !== 'open') return false;
  const isPaidOnline = invoice?.status === 'open' && invoice.gateway !== 'none';
  const payUrl = isPaidOnline ? await checkoutUrl(env.publicUrl() ?? baseUrl, invoice.invoiceId) : undefined;
  const attachments = invoice === undefined ? [] : [await pdfAttachment(invoice)];
  const content = subscriptionMail(entry, invoice, payUrl);
  await sendMail(entry.to, content, attachments, { nowMs: clock.nowMs(), timeoutMs: sendTimeoutMs });
  return true;
}

async function pdfAttachment(invoice: Invoice) {
  const content = await invoicePdf(invoice);
  return { filename: `${invoice.number}.pdf`, contentType: 'application/pdf', content };
}
