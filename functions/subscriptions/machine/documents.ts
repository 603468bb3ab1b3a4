import type { Payable } from '../../invoices/allocation.ts';
import { type CreditNote, type CreditNoteReason, creditNoteNumber } from '../../invoices/credit-note.ts';
import { type Invoice, invoiceNumber, type PlanSnapshot, planAmount } from '../../invoices/invoice.ts';
import { totalOf, withTax } from '../../invoices/invoice-total.ts';
import { correctedMinor } from '../../invoices/revenue-postings.ts';
import { nationalTax, sumOf, type TaxedTotal, taxOfPart } from '../../invoices/tax.ts';
import { credit, type Entry, receivable, release, sales, transfer } from '../../ledger/entry.ts';
import { defined } from '../../shared/contract/defined.ts';
import { sumMinor } from '../../shared/money/money.ts';
import { referenceCode } from '../record/reference-number.ts';
import type { OpenInvoice, Subscription, SubscriptionFields } from '../record/subscription.ts';
import { book, creditLeft, dueAfter, useCredit } from './books.ts';
import type { Draft } from './draft.ts';

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
  const { totalMinor, ...taxFields } = totalOf(sumMinor(lines), seller, client);
  const { tax, banking, legal, timeZone } = seller;
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
  enter(draft, invoice, {
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
  });
  const debtMinor = totalMinor > 0 ? -creditLeft(draft, currency) : 0;
  // A gateway took back what had been credit and was spent: the client owes it, and the next invoice asks for it. Its total
  // stays. As the balance of a customer at Stripe: https://docs.stripe.com/billing/customer/balance
  if (debtMinor > 0)
    book(
      draft,
      transfer('carry_over', { currency }, { from: credit, to: receivable(n), amountMinor: debtMinor }),
    );
  return useCredit(draft, n);
}

/**
 * The first invoice of a trial before {@link issue} issues it: the price with its tax. It uses the credit of the client, and asks for what
 * they owe.
 */
export function firstInvoiceAhead(
  subscription: Pick<Subscription, 'plan' | 'seller' | 'invoiceCount'>,
  client: Draft['client'],
): Payable {
  const { plan, invoiceCount } = subscription;
  const { currency } = plan;
  const priceMinor = withTax(subscription, client, planAmount(plan));
  // A free one asks for no debt.
  const usedMinor = priceMinor > 0 ? Math.min(priceMinor, client.credit?.[currency] ?? 0) : 0;
  return { n: invoiceCount + 1, totalMinor: priceMinor - usedMinor, currency };
}

function enter(draft: Draft, invoice: Invoice, open: OpenInvoice): void {
  const { next, issued } = draft;
  const { n, currency, totalMinor } = invoice;
  issued.push(invoice);
  next.openInvoices = [...next.openInvoices, open];
  book(draft, transfer('invoice', { currency }, { from: sales, to: receivable(n), amountMinor: totalMinor }));
}

/**
 * Issues a closed invoice again, under a new number: its cancellation is a document, which nobody takes back, or its document states another
 * term. It asks for what the former one asked for, and not for a debt of the client beside it. A line takes off what credit notes have
 * credited of the former one: the price of a sale is what it was reduced to (Directive 2006/112/EC, Article 90).
 *
 * @param open as it is open again, with the next number of the subscription, and what is left of the total.
 */
export function reissue(draft: Draft, former: Invoice, open: OpenInvoice): void {
  const { next, nowMs } = draft;
  const { applicationId, externalId, subscriptionId, plan, currency, seller, customer } = former;
  const { paymentReference, gateway, pricesInclude, periodStartMs, periodEndMs } = former;
  const { n, totalMinor } = open;
  next.invoiceCount = n;
  const tax = taxOfPart(former, { fromMinor: former.totalMinor - totalMinor, amountMinor: totalMinor });
  const soldMinor = pricesInclude === 'exclusive' ? totalMinor - sumOf(tax.taxes ?? []) : totalMinor;
  const amountMinor = soldMinor - sumMinor(former.lines);
  const credited = { description: `Credited of invoice ${former.number}`, quantity: 1, amountMinor };
  const invoice: Invoice = {
    applicationId,
    externalId,
    subscriptionId,
    plan,
    totalMinor,
    currency,
    lines: amountMinor === 0 ? former.lines : [...former.lines, credited],
    seller,
    customer,
    paymentReference,
    gateway,
    ...tax,
    ...defined({ pricesInclude, periodStartMs, periodEndMs }),
    n,
    invoiceId: draft.newInvoiceId(),
    number: invoiceNumber(referenceCode(next.referenceNumber), n),
    status: 'open',
    issuedAtMs: nowMs,
    dueAtMs: nowMs,
    eventCount: 0,
  };
  enter(draft, invoice, { ...open, invoiceId: invoice.invoiceId });
  useCredit(draft, n);
}

/** The plan without its features, which no invoice shows. */
const invoicedPlan = ({ features: _, ...plan }: PlanSnapshot): PlanSnapshot => plan;

export interface Crediting {
  invoice: Pick<Invoice, 'n' | 'invoiceId' | 'number' | 'currency' | 'settled'> & TaxedTotal;
  /** Tax included, not negative, in minor units. */
  amountMinor: number;
  reason: CreditNoteReason;
  /** In the words of the seller who asked for it. */
  sellerReason?: string;
}

/**
 * Issues the next credit note of the subscription, unless it would credit nothing. Numbers are consecutive. It has the tax of
 * its invoice, whatever the settings are now. What the invoice has received beyond what is owed of it then is credit of the
 * client.
 */
export function issueCreditNote(draft: Draft, crediting: Crediting): void {
  const { invoice, amountMinor } = crediting;
  if (amountMinor === 0) return;
  const { next, books, creditNotes } = draft;
  creditNotes.push(nextCreditNote(next, crediting, books, draft.newCreditNoteId()));
  const { currency } = invoice;
  const correct = { from: receivable(invoice.n), to: sales, amountMinor };
  book(draft, transfer('credit_note', { currency }, correct));
  const excessMinor = -dueAfter(draft, invoice);
  if (excessMinor > 0) book(draft, release(invoice, excessMinor));
}

/** The next credit note of a subscription, which counts it. @param before the entries of its change that come before it. */
export function nextCreditNote(
  next: SubscriptionFields,
  { invoice, amountMinor, reason, sellerReason }: Crediting,
  before: readonly Entry[],
  creditNoteId: string,
): CreditNote {
  const { applicationId, externalId, subscriptionId, referenceNumber } = next;
  next.creditNoteCount += 1;
  const n = next.creditNoteCount;
  return {
    creditNoteId,
    applicationId,
    externalId,
    subscriptionId,
    n,
    number: creditNoteNumber(referenceCode(referenceNumber), n),
    reason,
    ...defined({ sellerReason }),
    invoiceId: invoice.invoiceId,
    invoiceN: invoice.n,
    invoiceNumber: invoice.number,
    totalMinor: amountMinor,
    currency: invoice.currency,
    issuedAtMs: next.updatedAtMs,
    ...taxOfPart(invoice, { fromMinor: correctedMinor(invoice, before), amountMinor }),
  };
}
