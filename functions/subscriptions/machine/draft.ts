import type { CreditNote } from '../../invoices/credit-note.ts';
import { type Invoice, type PlanSnapshot, planAmount } from '../../invoices/invoice.ts';
import { withTax } from '../../invoices/invoice-total.ts';
import type { Entry } from '../../ledger/entry.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { MailTemplate } from '../record/mail-rules.ts';
import type { Mail, OutboxEntry } from '../record/outbox-entry.ts';
import type {
  OpenInvoice,
  Status,
  Subscription,
  SubscriptionFields,
  SubscriptionIn,
} from '../record/subscription.ts';
import type { CommonContext, Event, EventName } from './event.ts';

/** Fields of an invoice that a change sets. The sums of its money follow from the entries of the change. */
export type InvoiceUpdate = { n: number } & Partial<
  Pick<
    Invoice,
    | 'status'
    | 'paidAtMs'
    | 'closedAtMs'
    | 'paymentId'
    | 'reversed'
    | 'dueAtMs'
    | 'periodStartMs'
    | 'periodEndMs'
  >
>;

/**
 * A change under construction. Effects change `next`, and add to the rest with the functions below. The
 * context is read-only.
 */
export interface Draft<S extends State = State> extends CommonContext {
  readonly before: SubscriptionIn<S>;
  /** In its new state. Fields of a state that it has left are dropped after the effect. */
  readonly next: SubscriptionFields;
  readonly issued: Invoice[];
  readonly updated: InvoiceUpdate[];
  readonly entries: DraftEntry[];
  /** The ids of entries of the outbox that a mail of this change stands for. */
  readonly recalled: string[];
  readonly creditNotes: CreditNote[];
  /** The entries of the ledger. The sums of invoices, of the client and of payments follow from them. */
  readonly books: Entry[];
}

/** The states before a change; `none` before the `start`. */
export type State = Status | 'none';

export type DraftOf<E extends EventName, S extends State = State> = Draft<S> & Event<E>;

/** An entry for the outbox; `id` is unique within the subscription. */
export interface DraftEntry {
  id: string;
  content: ({ kind: 'mail' } & Mail) | { kind: 'close_checkout'; invoiceN: number };
}

/** An entry of the outbox that nobody has tried to deliver. @param position among those of the same change. */
export function outboxEntry(
  subscription: Subscription,
  { id, content }: DraftEntry,
  { nowMs, position }: { nowMs: number; position: number },
): OutboxEntry {
  const { applicationId, externalId, subscriptionId, revision } = subscription;
  return {
    entryId: id,
    applicationId,
    externalId,
    subscriptionId,
    createdAtMs: nowMs,
    revision,
    position,
    ...content,
    leasedUntilMs: 0,
    attempts: 0,
    possibleCopies: 0,
  };
}

/** Updates an invoice, whether this change issued it or an earlier one. */
export function update(draft: Draft, { n, ...fields }: InvoiceUpdate): void {
  // Stryker disable next-line ConditionalExpression: once an invoice is issued, no change updates another one.
  const issued = draft.issued.find((invoice) => invoice.n === n);
  // A transaction writes an item once.
  const earlier = issued ?? draft.updated.find((update) => update.n === n);
  if (earlier !== undefined) Object.assign(earlier, fields);
  else draft.updated.push({ n, ...fields });
}

/**
 * Adds a mail to the outbox.
 *
 * @param options.step distinguishes several mails of one template.
 * @param options.invoiceN the invoice to attach.
 * @param options.plan the plan that the mail is about, if it is another one than that of the subscription.
 */
export function mail(
  draft: Draft,
  template: MailTemplate,
  options: {
    step: string | number;
    invoiceN?: number | undefined;
    plan?: PlanSnapshot;
    facts?: Partial<Mail['facts']>;
  },
): void {
  const { next, client } = draft;
  const { step, invoiceN } = options;
  const facts: Mail['facts'] = { ...mailFacts(next, client, options.plan), ...options.facts };
  draft.entries.push({
    id: `${template}#${step}`,
    content: { kind: 'mail', template, to: client.email, facts, ...defined({ invoiceN }) },
  });
  if (next.status !== 'pending' || next.gateway === 'none') return;
  next.openInvoices = next.openInvoices.map((open) =>
    open.n === invoiceN ? { ...open, isMailed: true } : open,
  );
}

export function mailFacts(
  subscription: SubscriptionFields,
  client: CommonContext['client'],
  plan = subscription.plan,
): Mail['facts'] {
  const { seller, referenceNumber, trialEndMs, termStartMs, termEndMs } = subscription;
  return {
    seller: seller.name,
    referenceNumber,
    planName: plan.name,
    priceMinor: withTax(subscription, client, planAmount(plan)),
    currency: plan.currency,
    billingCycle: plan.billingCycle,
    ...defined({
      quantity: plan.quantity,
      customerName: client.name,
      timeZone: seller.timeZone,
      trialEndMs,
      termStartMs,
      termEndMs,
    }),
  };
}

/** Adds the closing of these invoices' checkouts to the outbox, for the invoices that may have one at Stripe. */
export function closeCheckouts(draft: Draft, invoices: readonly OpenInvoice[]): void {
  for (const { n, atStripe } of invoices) {
    // Nobody has opened one for an invoice that this change issues.
    // Stryker disable next-line ConditionalExpression: no change issues an invoice and closes a checkout of another one after.
    if (!atStripe || draft.issued.some((invoice) => invoice.n === n)) continue;
    // A checkout can be opened and closed again: the revision keeps the ids apart.
    const id = `close_checkout#${n}#${draft.next.revision}`;
    if (draft.entries.some((entry) => entry.id === id)) continue;
    draft.entries.push({
      id,
      content: { kind: 'close_checkout', invoiceN: n },
    });
  }
}
