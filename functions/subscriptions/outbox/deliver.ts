import { isGivenUp, maxCopies, retryDelayMs } from '../../shared/mail/attempts.ts';
import { MailPossiblySent, type sendMailWithAttachments } from '../../shared/mail/mailer.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import { secondMs } from '../../shared/runtime/duration.ts';
import { env } from '../../shared/runtime/env.ts';
import { recordGivenUpMail } from '../../shared/runtime/log.ts';
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

const sendTimeoutMs = 10 * secondMs;
const mailsAboutOpenInvoices = new Set([
  'invoice',
  'trial_reminder',
  'renewal',
  'dunning_reminder',
  'payment_reversed',
]);

/**
 * Delivers an entry of the outbox that the caller has leased, by the rule of `functions/shared/mail/attempts.ts`.
 *
 * @param baseUrl of the links in mails, unless `PUBLIC_URL` is set.
 * @returns the error when the delivery failed: the entry stays due until it is given up.
 */
export async function deliver(entry: OutboxEntry, baseUrl: string, deps: DeliverDeps): Promise<unknown> {
  const { outbox, clock } = deps;
  if (entry.kind === 'mail' && entry.possibleCopies > maxCopies) {
    return giveUp(entry, maxCopies, new Error('The last try did not end'), deps);
  }
  let isNeeded: boolean;
  try {
    isNeeded = await deliverEntry(entry, baseUrl, deps);
  } catch (error) {
    return retryLater(entry, error, deps);
  }
  // A mail that was sent and could not be recorded keeps its lease, and counts as a possible copy.
  return outbox
    .finish(entry, isNeeded ? 'doneAtMs' : 'droppedAtMs', clock.nowMs())
    .catch((error: unknown) => error);
}

/** @returns the error. */
async function retryLater(entry: OutboxEntry, error: unknown, deps: DeliverDeps): Promise<unknown> {
  const nowMs = deps.clock.nowMs();
  const isPossiblySent = error instanceof MailPossiblySent;
  const copies = isPossiblySent ? entry.possibleCopies : entry.possibleCopies - 1;
  // Closing a checkout twice does no harm, so it is given up for its age only.
  if (
    isGivenUp(
      { copies: entry.kind === 'mail' ? copies : 0, dueSinceMs: entry.redrivenAtMs ?? entry.createdAtMs },
      nowMs,
    )
  ) {
    return giveUp(entry, copies, error, deps);
  }
  // The lease of the try keeps the next copy at its distance.
  if (!isPossiblySent) await deps.outbox.release(entry, nowMs + retryDelayMs(entry.attempts), nowMs);
  return error;
}

/** @returns the error. */
async function giveUp(
  entry: OutboxEntry,
  copies: number,
  error: unknown,
  { outbox, clock }: DeliverDeps,
): Promise<unknown> {
  const { subscriptionId, entryId } = entry;
  const cause = error instanceof MailPossiblySent ? error.cause : error;
  const failure = cause instanceof Error ? cause.name : 'Error';
  await outbox.giveUp(entry, { copies, failure }, clock.nowMs());
  recordGivenUpMail({ mail: `${subscriptionId} ${entryId}`, possibleCopies: copies }, error);
  return error;
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
