import type { CreditNote } from '../../invoices/credit-note.ts';
import { dueMinor } from '../../invoices/due.ts';
import { type Invoice, invoiceNumber, type PlanSnapshot, planAmount } from '../../invoices/invoice.ts';
import { nationalTax, taxed } from '../../invoices/tax.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { Mail, MailTemplate } from '../record/outbox-entry.ts';
import { referenceCode } from '../record/reference-number.ts';
import type {
  OpenInvoice,
  Status,
  Subscription,
  SubscriptionFields,
  SubscriptionIn,
} from '../record/subscription.ts';
import type { Event, EventName } from './event.ts';
import type { CommonContext } from './transition-context.ts';

/** Fields of an invoice that a change sets. */
export type InvoiceUpdate = { n: number } & Partial<
  Pick<
    Invoice,
    | 'status'
    | 'paidAtMs'
    | 'closedAtMs'
    | 'paymentId'
    | 'receivedMinor'
    | 'creditUsedMinor'
    | 'refundedMinor'
    | 'creditedMinor'
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
  /** The subscription before the change. */
  readonly before: SubscriptionIn<S>;
  /** In its new state. Fields of a state that it has left are dropped after the effect. */
  readonly next: SubscriptionFields;
  readonly issued: Invoice[];
  readonly updated: InvoiceUpdate[];
  readonly entries: DraftEntry[];
  /** The ids of entries of the outbox that a mail of this change stands for. */
  readonly recalled: string[];
  readonly creditNotes: CreditNote[];
  /** The amount that the change adds to the credit of the client, or takes from it when negative. */
  readonly credits: CreditMovement[];
}

/** The states before a change; `none` before the `start`. */
export type State = Status | 'none';

/** A change that an event makes in some states, with what the event is about. */
export type DraftOf<E extends EventName, S extends State = State> = Draft<S> & Event<E>;

/** An amount that becomes credit of the client, or that is taken from it when negative. In minor units. */
export interface CreditMovement {
  currency: string;
  amountMinor: number;
}

/** An entry for the outbox; `id` is unique within the subscription. */
export interface DraftEntry {
  id: string;
  content: ({ kind: 'mail' } & Mail) | { kind: 'close_checkout'; invoiceN: number };
}

/** The fields of an invoice that an effect states. */
export type NewInvoice = Pick<Invoice, 'plan' | 'dueAtMs'> &
  Partial<Pick<Invoice, 'periodStartMs' | 'periodEndMs' | 'lines'>> & {
    /** The invoice is for a term that is granted before it is paid. It is owed from its due date. */
    isGranted?: true;
  };

/**
 * Issues the next invoice of the subscription. Numbers are consecutive; a number of the seller's series is set when the
 * invoice is written.
 *
 * @param invoice.lines by default one, the plan in its quantity. With or without tax, as prices of plans are. Their sum is
 * not negative.
 * @returns the open invoice. Its total includes the tax.
 */
export function issue(draft: Draft, { isGranted, ...fields }: NewInvoice): OpenInvoice {
  const { next, client, nowMs } = draft;
  const { applicationId, externalId, subscriptionId, seller, gateway, referenceNumber } = next;
  next.invoiceCount += 1;
  const n = next.invoiceCount;
  const { currency, name, quantity = 1 } = fields.plan;
  const { lines = [{ description: name, quantity, amountMinor: planAmount(fields.plan) }] } = fields;
  const sumMinor = lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const { totalMinor, ...taxFields } = totalOf(sumMinor, seller, client);
  const { tax } = seller;
  const { banking, legal, timeZone } = seller;
  const invoice: Invoice = {
    invoiceId: draft.newInvoiceId(),
    applicationId,
    externalId,
    subscriptionId,
    n,
    number: invoiceNumber(referenceCode(referenceNumber), n),
    status: 'open',
    totalMinor,
    currency,
    ...taxFields,
    ...defined({ nationalTax: tax && nationalTax(taxFields.taxes ?? [], currency, tax) }),
    seller: { name: seller.name, ...defined({ banking, legal, timeZone }) },
    customer: {
      email: client.email,
      ...defined({ name: client.name, address: client.address, vatId: client.vatId }),
    },
    paymentReference: referenceNumber,
    gateway,
    issuedAtMs: nowMs,
    eventCount: 0,
    ...fields,
    ...defined({ isGranted }),
    lines,
    plan: invoicedPlan(fields.plan),
  };
  draft.issued.push(invoice);
  const openInvoice: OpenInvoice = {
    n,
    invoiceId: invoice.invoiceId,
    totalMinor,
    currency,
    ...defined({
      dueAtMs: isGranted && fields.dueAtMs,
      planOnPayment: isGranted ? undefined : fields.plan,
      // The gateway of the application can become Stripe while the invoice is open.
      atStripe: gateway !== 'none' || undefined,
    }),
  };
  next.openInvoices = [...next.openInvoices, openInvoice];
  return totalMinor > 0 && creditLeft(draft, currency) < 0
    ? collectDebt(draft, openInvoice)
    : useCredit(draft, openInvoice);
}

/**
 * A gateway took back what had been credit and was spent: the client owes it, and the next invoice asks for it. Its total
 * stays. As the balance of a customer at Stripe: https://docs.stripe.com/billing/customer/balance
 */
function collectDebt(draft: Draft, open: OpenInvoice): OpenInvoice {
  return moveCredit(draft, open, creditLeft(draft, open.currency));
}

/**
 * Uses the client's credit for an open invoice.
 *
 * @returns the open invoice. One that is covered stays open until a caller settles it.
 */
export function useCredit(draft: Draft, open: OpenInvoice): OpenInvoice {
  const usedMinor = Math.min(dueMinor(open), creditLeft(draft, open.currency));
  return usedMinor <= 0 ? open : moveCredit(draft, open, usedMinor);
}

/** Moves an amount from the client's credit to an open invoice; a debt, below 0, is asked for with the invoice. */
function moveCredit(draft: Draft, open: OpenInvoice, amountMinor: number): OpenInvoice {
  const { next, credits } = draft;
  const { n, currency, receivedMinor = 0, creditUsedMinor = 0 } = open;
  credits.push({ currency, amountMinor: -amountMinor });
  const received = {
    receivedMinor: receivedMinor + amountMinor,
    creditUsedMinor: creditUsedMinor + amountMinor,
  };
  update(draft, { n, ...received });
  const moved = { ...open, ...received };
  next.openInvoices = next.openInvoices.map((invoice) => (invoice.n === n ? moved : invoice));
  return moved;
}

/** The client's credit after the movements so far, in minor units. Below 0, a gateway took back what was spent. */
export function creditLeft({ client, credits }: Pick<Draft, 'client' | 'credits'>, currency: string): number {
  return (client.credit?.[currency] ?? 0) + movedMinor(credits, currency);
}

function movedMinor(credits: readonly CreditMovement[], currency: string): number {
  return credits
    .filter((movement) => movement.currency === currency)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** The amount that the change makes credit of the client, in the currency of the plan; undefined for nothing. */
export function creditGained({ credits, next }: Pick<Draft, 'credits' | 'next'>): number | undefined {
  const gained = movedMinor(credits, next.plan.currency);
  return gained > 0 ? gained : undefined;
}

/** The total of a sum of lines, and its tax. Without tax settings, the total is the sum. */
function totalOf(
  sumMinor: number,
  {
    tax,
    legal = {},
  }: Pick<Subscription['seller'], 'tax'> & { legal?: Parameters<typeof taxed>[2]['seller'] },
  client: Draft['client'],
): Pick<Invoice, 'totalMinor' | 'taxes' | 'pricesInclude' | 'reverseCharge'> {
  if (tax === undefined) return { totalMinor: sumMinor };
  const { totalMinor, taxes, reverseCharge } = taxed(sumMinor, tax, { seller: legal, customer: client });
  if (reverseCharge) return { totalMinor, reverseCharge };
  return taxes.length === 0 ? { totalMinor } : { totalMinor, taxes, pricesInclude: tax.pricesInclude };
}

/** The total of an invoice of this amount, tax included. */
export function withTax(
  { seller }: Pick<Subscription, 'seller'>,
  client: Draft['client'],
  amountMinor: number,
): number {
  return totalOf(amountMinor, seller, client).totalMinor;
}

/** The plan without its features, which no invoice shows. */
function invoicedPlan({ features: _, ...plan }: PlanSnapshot): PlanSnapshot {
  return plan;
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
}

/** The facts of a mail about a subscription in its present state. @param plan by default, that of the subscription. */
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
    ...defined({ customerName: client.name, timeZone: seller.timeZone, trialEndMs, termStartMs, termEndMs }),
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
