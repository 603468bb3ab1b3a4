import type { CreditNote } from '../../invoices/credit-note.ts';
import { creditNoteStore } from '../../invoices/credit-note-store.ts';
import {
  type DocumentId,
  documentStore,
  type MailedDocument,
} from '../../invoices/document/document-store.ts';
import { creditNotePdf, invoicePdf } from '../../invoices/document/pdf.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import type { checkoutUrl } from '../../invoices/payment-link.ts';
import { invoiceStore } from '../../invoices/store.ts';
import type { closeCheckout } from '../../payments/stripe/expire-session.ts';
import type { billingLinks } from '../../portal/pages/present-link.ts';
import { defined } from '../../shared/contract/defined.ts';
import { isGivenUp, maxCopies, retryDelayMs } from '../../shared/mail/attempts.ts';
import { MailPossiblySent, type sendMailWithAttachments } from '../../shared/mail/mailer.ts';
import { type Clock, hourMs, secondMs } from '../../shared/runtime/clock.ts';
import { recordAlarm } from '../../shared/runtime/log.ts';
import type { Mail, OutboxEntry, SentMail } from '../../subscriptions/record/outbox-entry.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import { isOwed } from '../mails/blocks.ts';
import { mails } from '../mails/registry.ts';
import { isAttached, subscriptionMail } from '../mails/subscription-mail.ts';
import type { MailQuota, mailQuotaStore, QuotaDecision } from './mail-quota-store.ts';
import type { Finished, outboxStore } from './store.ts';

export interface DeliverDeps {
  outbox: typeof outboxStore;
  sendMail: typeof sendMailWithAttachments;
  checkoutUrl: typeof checkoutUrl;
  billingLinks: typeof billingLinks;
  closeCheckout: typeof closeCheckout;
  mailQuota: typeof mailQuotaStore;
  quotaPerDay: () => MailQuota;
  clock: Clock;
}

const sendTimeoutMs = 10 * secondMs;

/** The subscription of a mail, as it is when the mail is sent. */
export interface MailedState {
  baseUrl: string;
  subscription: Subscription | undefined;
}

/**
 * Delivers an entry of the outbox that the caller has leased, by the rule of `functions/shared/mail/attempts.ts`.
 *
 * @param state is read just before. A mail can wait for days, and says what holds when it is sent.
 * @returns the cause when the delivery failed: the entry stays due until it is given up. `isHeld` when the mail waits for
 * the next day, because a quota of its application is used up.
 */
export async function deliver(
  entry: OutboxEntry,
  state: MailedState,
  deps: DeliverDeps,
): Promise<{ cause?: unknown; isHeld?: true }> {
  const { outbox, clock } = deps;
  if (entry.kind === 'mail' && entry.possibleCopies > maxCopies) {
    return { cause: await giveUp(entry, maxCopies, new Error('The last try did not end'), deps) };
  }
  let outcome: Awaited<ReturnType<typeof deliverEntry>>;
  try {
    outcome = await deliverEntry(entry, state, deps);
    if ('isAllowed' in outcome) {
      await outbox.hold(entry, spread(entry, outcome), clock.nowMs());
      return { isHeld: true };
    }
  } catch (error) {
    return { cause: await retryLater(entry, error, deps) };
  }
  // A mail that was sent and could not be recorded keeps its lease, and counts as a possible copy.
  const cause = await outbox.finish(entry, outcome, clock.nowMs()).catch((error: unknown) => error);
  return defined({ cause });
}

/** Held mails become due over the first hour of the next day, those of a subscription together. */
function spread({ subscriptionId }: OutboxEntry, { by, untilMs }: Refusal): Omit<Refusal, 'isAllowed'> {
  const characters = Array.from(subscriptionId, (character) => character.codePointAt(0) ?? 0);
  const hash = characters.reduce((sum, code) => (sum * 31 + code) % hourMs, 0);
  return { by, untilMs: untilMs + hash };
}

type Refusal = Extract<QuotaDecision, { isAllowed: false }>;

/** The time for which a mail was held is no failure. */
function dueSince({ redrivenAtMs, createdAtMs, heldUntilMs = 0 }: OutboxEntry): number {
  return Math.max(redrivenAtMs ?? createdAtMs, heldUntilMs);
}

async function retryLater(entry: OutboxEntry, error: unknown, deps: DeliverDeps): Promise<unknown> {
  const nowMs = deps.clock.nowMs();
  const isPossiblySent = error instanceof MailPossiblySent;
  const copies = isPossiblySent ? entry.possibleCopies : entry.possibleCopies - 1;
  // Closing a checkout twice does no harm, so it is given up for its age only.
  if (isGivenUp({ copies: entry.kind === 'mail' ? copies : 0, dueSinceMs: dueSince(entry) }, nowMs)) {
    return giveUp(entry, copies, error, deps);
  }
  // The lease of the try keeps the next copy at its distance.
  if (!isPossiblySent) await deps.outbox.release(entry, nowMs + retryDelayMs(entry.attempts), nowMs);
  return error;
}

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
  const mail = `${subscriptionId} ${entryId}`;
  recordAlarm('mail', 'MailsGivenUp', 'a mail was given up', { mail, possibleCopies: copies, cause: error });
  return error;
}

/** @returns how the entry ends, dropped when it is no longer needed, or which quota holds it. */
async function deliverEntry(
  entry: OutboxEntry,
  { baseUrl, subscription }: MailedState,
  { sendMail, checkoutUrl, billingLinks, closeCheckout, mailQuota, quotaPerDay, clock }: DeliverDeps,
): Promise<Finished | Refusal> {
  const { subscriptionId, applicationId, invoiceN } = entry;
  if (entry.kind === 'close_checkout') {
    await closeCheckout({ applicationId, subscriptionId, invoiceN: entry.invoiceN }, clock.nowMs());
    return { how: 'doneAtMs' };
  }
  const [[named, mailed], link] = await Promise.all([
    invoiceN === undefined ? [] : invoiceToAttach({ subscriptionId, kind: 'INVOICE', n: invoiceN }),
    billingLinks.getLink(entry),
  ]);
  const isStale = lacksNeed(entry, { invoice: named, link, subscription }) || isOutdated(entry, subscription);
  if (isStale && entry.creditNoteNs === undefined) return { how: 'droppedAtMs' };
  const invoice = isStale ? undefined : named;
  const decision = await mailQuota.count(entry, quotaPerDay(), clock.nowMs());
  if (!decision.isAllowed) return decision;
  const isPaidOnline = invoice?.status === 'open' && invoice.gateway !== 'none';
  const [payUrl, billingUrl, invoiceFile, creditNotes] = await Promise.all([
    isPaidOnline ? checkoutUrl(baseUrl, invoice.invoiceId) : undefined,
    link === undefined ? undefined : billingLinks.billingUrl(baseUrl, { subscriptionId, ...link }),
    isAttached(invoice) ? attachedInvoice(invoice, mailed) : undefined,
    attachedCreditNotes(entry),
  ]);
  const nowMs = clock.nowMs();
  const notes = creditNotes.map(({ creditNote }) => creditNote);
  const content = subscriptionMail(isStale ? creditNoteMail(entry, notes) : entry, invoice, {
    payUrl,
    billingUrl,
    nowMs,
    creditNotes: notes,
    ...defined({ subscription }),
  });
  const attachments = [invoiceFile, ...creditNotes.map(({ file }) => file)].filter(
    (file) => file !== undefined,
  );
  await sendMail(entry.to, content, attachments, { nowMs, timeoutMs: sendTimeoutMs });
  return { how: 'doneAtMs', sent: withoutLinks(content, [payUrl, billingUrl]) };
}

/** Whoever has the address of a payment page or of a billing page can open it, so that operators read the mail without. */
function withoutLinks({ subject, text }: SentMail, links: readonly (string | undefined)[]): SentMail {
  const secret = links.filter((link) => link !== undefined);
  return { subject, text: secret.reduce((rest, link) => rest.replaceAll(link, '[link]'), text) };
}

/** Whether the invoice of a mail was paid or closed in the meantime, or the billing page that it links to. */
function lacksNeed(
  { template, invoiceN }: Pick<Mail, 'template' | 'invoiceN'>,
  { invoice, link, subscription }: Found,
): boolean {
  const { needs } = mails[template];
  if (needs === undefined) return false;
  if (needs === 'billing page') return link === undefined;
  if (invoice?.status === 'open') return false;
  if (needs === 'open invoice') return true;
  return invoiceN !== undefined && (invoice === undefined || !isOwed(invoice, subscription));
}

interface Found {
  readonly invoice: Invoice | undefined;
  readonly link: { version: number } | undefined;
  readonly subscription: Subscription | undefined;
}

/** Whether what a mail says was undone in the meantime. A later mail says what holds. */
function isOutdated({ template }: Pick<Mail, 'template'>, subscription: Subscription | undefined): boolean {
  return subscription !== undefined && mails[template].isOutdated?.(subscription) === true;
}

/** Brings the credit notes of a mail whose news is outdated. */
function creditNoteMail({ facts }: Pick<Mail, 'facts'>, notes: readonly CreditNote[]) {
  const paymentMinor = notes.reduce((sum, { totalMinor }) => sum + totalMinor, 0);
  return { template: 'invoice_credited', facts: { ...facts, paymentMinor } } as const;
}

/** An invoice, with its document if a mail had it before. */
const invoiceToAttach = (id: DocumentId) =>
  Promise.all([invoiceStore.get(id.subscriptionId, id.n), documentStore.find(id)]);

function attachedInvoice(invoice: Invoice, mailed: MailedDocument | undefined) {
  const { subscriptionId, n } = invoice;
  const id = { subscriptionId, kind: 'INVOICE', n } as const;
  return attachment(invoice, { id, mailed, render: () => invoicePdf(invoice) });
}

/** The credit notes that a mail tells of. Each was written in the transaction of its entry. */
async function attachedCreditNotes({
  subscriptionId,
  creditNoteNs = [],
}: Extract<OutboxEntry, { kind: 'mail' }>) {
  return Promise.all(
    creditNoteNs.map(async (n) => {
      const id = { subscriptionId, kind: 'CREDITNOTE', n } as const;
      const [note, mailed] = await Promise.all([
        creditNoteStore.getNth(subscriptionId, n),
        documentStore.find(id),
      ]);
      if (note === undefined) throw new Error(`Credit note ${n} of ${subscriptionId} was not found`);
      const { creditNote, invoice } = note;
      const render = () => creditNotePdf(creditNote, invoice);
      return { creditNote, file: await attachment(creditNote, { id, mailed, render }) };
    }),
  );
}

/** Stores the bytes before the mail has them: every later mail, and every reader, gets the same. */
async function attachment(
  { number }: Pick<Invoice, 'number'>,
  {
    id,
    mailed,
    render,
  }: { id: DocumentId; mailed: MailedDocument | undefined; render: () => Promise<Uint8Array> },
) {
  const content = mailed?.pdf ?? (await documentStore.keep(id, await render()));
  return { filename: `${number}.pdf`, contentType: 'application/pdf', content };
}
