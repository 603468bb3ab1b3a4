import { env } from '../shared/env.ts';
import type { sendMailWithAttachments } from '../shared/mailer.ts';
import type { checkoutUrl } from './checkout-link.ts';
import type { closeCheckout } from './close-checkout.ts';
import { subscriptionMail } from './emails.ts';
import type { Invoice } from './invoice.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import type { outboxStore } from './outbox-store.ts';
import { dayMs, hourMs } from './term.ts';

export interface DeliverDeps {
  outbox: typeof outboxStore;
  sendMail: typeof sendMailWithAttachments;
  checkoutUrl: typeof checkoutUrl;
  closeCheckout: typeof closeCheckout;
  nowMs: () => number;
}

/** What could not be done for so long will not be done. */
const givenUpAfterMs = 3 * dayMs;
const patienceMs = 10_000;
const mailsAboutOpenInvoices = new Set([
  'invoice',
  'trial_reminder',
  'renewal',
  'dunning_reminder',
  'payment_reversed',
]);

/**
 * Does what an entry of the outbox says; the caller has leased it.
 *
 * @param known the invoice, if the caller has it at hand.
 * @returns what went wrong, if anything did: the entry stays due then.
 */
export async function deliver(
  entry: OutboxEntry,
  baseUrl: string,
  deps: DeliverDeps,
  known?: Invoice,
): Promise<unknown> {
  const { outbox, nowMs } = deps;
  try {
    const needed = await carryOut(entry, baseUrl, deps, known);
    await outbox.finish(entry, needed ? 'doneAtMs' : 'droppedAtMs', nowMs());
    return undefined;
  } catch (error) {
    const isGivenUp = nowMs() - entry.createdAtMs > givenUpAfterMs;
    const later = nowMs() + Math.min(hourMs, 60_000 * 2 ** entry.attempts);
    await (isGivenUp ? outbox.finish(entry, 'droppedAtMs', nowMs()) : outbox.release(entry, later, nowMs()));
    return error;
  }
}

/** @returns false when it is not needed any more. */
async function carryOut(
  entry: OutboxEntry,
  baseUrl: string,
  { outbox, sendMail, checkoutUrl, closeCheckout, nowMs }: DeliverDeps,
  known: Invoice | undefined,
): Promise<boolean> {
  const { subscriptionId, applicationId, invoiceN } = entry;
  if (entry.kind === 'close_checkout') {
    await closeCheckout({ applicationId, subscriptionId, invoiceN: entry.invoiceN });
    return true;
  }
  const invoice =
    invoiceN === undefined ? undefined : (known ?? (await outbox.invoice(subscriptionId, invoiceN)));
  // Paid or void meanwhile, nobody should be asked for it.
  if (mailsAboutOpenInvoices.has(entry.template) && invoice?.status !== 'open') return false;
  const payable = invoice?.status === 'open' && invoice.gateway !== 'none';
  const payUrl = payable ? await checkoutUrl(env.publicUrl() ?? baseUrl, invoice.invoiceId) : undefined;
  const attachments = invoice === undefined ? [] : [await pdfOf(invoice)];
  const content = subscriptionMail(entry, invoice, payUrl === undefined ? {} : { payUrl });
  await sendMail(entry.to, content, attachments, { nowMs: nowMs(), withinMs: patienceMs });
  return true;
}

/** Loaded when first needed: most steps carry no invoice. */
async function pdfOf(invoice: Invoice) {
  const { invoicePdf } = await import('./invoice-pdf.ts');
  const content = await invoicePdf(invoice);
  return { filename: `${invoice.number}.pdf`, contentType: 'application/pdf', content };
}
