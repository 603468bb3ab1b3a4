import type { output } from 'zod/mini';
import { defined } from '../../shared/contract/defined.ts';
import { isoTime, optionalIsoTime } from '../../shared/runtime/clock.ts';
import type { ClientProfile } from '../../clients/client.ts';
import type { CreditNote } from '../../invoices/credit-note.ts';
import { dueMinor } from '../../invoices/due.ts';
import type { Invoice, LegalEntity, PlanSnapshot } from '../../invoices/invoice.ts';
import { transferReference } from '../../invoices/document/transfer-reference.ts';
import { type Payment, waitingMinor } from '../../payments/record/payment.ts';
import { toDecimal } from '../../shared/money/money.ts';
import { type Access, accessAt, isEntitled } from '../record/access.ts';
import { planAt } from '../record/paid-terms.ts';
import type { Subscription, TimelineEntry } from '../record/subscription.ts';
import type {
  ChangedSubscription,
  CreatedSubscription,
  CurrentSubscription,
  OneClient,
  OneCreditNote,
  OneInvoice,
  OnePayment,
  OneSubscription,
} from './responses.ts';

/** A client as the API returns it. */
export function toClientResponse(client: ClientProfile): output<typeof OneClient>['client'] {
  const { externalId, email, name, address, vatId, metadata, createdAtMs, updatedAtMs } = client;
  return {
    externalId,
    email,
    ...defined({ name, address, vatId, metadata: metadata === undefined ? undefined : JSON.parse(metadata) }),
    createdAt: isoTime(createdAtMs),
    updatedAt: isoTime(updatedAtMs),
  };
}

function commonFields(subscription: Subscription, { quantity }: PlanSnapshot) {
  const { subscriptionId, referenceNumber, status, startAtMs, autoRenew, plannedChange } = subscription;
  const { trialStartMs, trialEndMs, termEndMs, createdAtMs } = subscription;
  return {
    _id: subscriptionId,
    referenceNumber,
    status,
    startDate: isoTime(startAtMs),
    // A client that compares it with the present time lets nobody in who has neither paid nor a trial.
    endDate: isoTime(termEndMs ?? trialEndMs ?? createdAtMs),
    ...defined({ trialStart: optionalIsoTime(trialStartMs), trialEnd: optionalIsoTime(trialEndMs) }),
    autoRenew,
    ...defined({
      quantity,
      plannedChange: plannedChange && {
        planId: plannedChange.planId,
        ...defined({ quantity: plannedChange.quantity, effectiveAt: optionalIsoTime(termEndMs) }),
      },
    }),
  };
}

/** A subscription as returned by changes, with the id of its plan. */
export function toChangeResponse(
  subscription: Subscription,
): output<typeof ChangedSubscription>['subscription'] {
  const { status, cancelAtPeriodEnd, resumesAtMs, updatedAtMs } = subscription;
  const plan = planAt(subscription, updatedAtMs);
  return {
    ...commonFields(subscription, plan),
    planId: plan.planId,
    ...defined({
      cancelAtPeriodEnd: cancelAtPeriodEnd || undefined,
      resumesAt: status === 'paused' ? optionalIsoTime(resumesAtMs) : undefined,
    }),
  };
}

/** A new subscription: as reads return it, with the id of its plan. */
export function toCreatedResponse(
  subscription: Subscription,
): output<typeof CreatedSubscription>['subscription'] {
  const { createdAtMs } = subscription;
  const plan = planAt(subscription, createdAtMs);
  return {
    ...presentFields(subscription, plan, accessAt(subscription, createdAtMs)),
    planId: plan.planId,
  };
}

/**
 * A subscription as returned by reads, with the plan as sold and the current level of access.
 *
 * @param access where late steps would change it: see engine/access-with-credit.ts.
 */
export function toSubscriptionResponse(
  subscription: Subscription,
  nowMs: number,
  access = accessAt(subscription, nowMs),
): output<typeof CurrentSubscription>['subscription'] {
  const plan = planAt(subscription, nowMs);
  const { planId, name, priceMinor, currency, billingCycle, features = [] } = plan;
  return {
    ...presentFields(subscription, plan, access),
    planId: {
      _id: planId,
      name,
      price: toDecimal(priceMinor, currency),
      currency,
      billingCycle,
      features: [...features],
    },
  };
}

function presentFields(subscription: Subscription, plan: PlanSnapshot, access: Access) {
  const { status, externalId, cancelAtPeriodEnd, endReason } = subscription;
  const pause =
    status === 'paused'
      ? {
          pausedAt: optionalIsoTime(subscription.pausedAtMs),
          resumesAt: optionalIsoTime(subscription.resumesAtMs),
        }
      : {};
  return {
    ...commonFields(subscription, plan),
    externalId,
    entitled: isEntitled(access),
    access,
    ...defined({ termStart: optionalIsoTime(subscription.termStartMs) }),
    cancelAtPeriodEnd,
    ...defined({ ...pause, endedAt: optionalIsoTime(subscription.endedAtMs), endReason }),
    createdAt: isoTime(subscription.createdAtMs),
  };
}

/** An invoice as the API returns it, with decimal amounts. */
export function toInvoiceResponse(invoice: Invoice): output<typeof OneInvoice>['invoice'] {
  const { invoiceId, number, status, subscriptionId, currency, totalMinor, lines } = invoice;
  const { paymentReference, seller, customer, taxes, pricesInclude, reverseCharge } = invoice;
  const { legal } = seller;
  const isLegal = customer.address !== undefined || customer.vatId !== undefined;
  return {
    _id: invoiceId,
    number,
    status,
    subscriptionId,
    currency,
    total: toDecimal(totalMinor, currency),
    amountDue: toDecimal(status === 'open' ? dueMinor(invoice) : 0, currency),
    lines: lines.map(({ description, quantity, amountMinor }) => ({
      description,
      quantity,
      amount: toDecimal(amountMinor, currency),
    })),
    ...defined({
      pricesInclude,
      taxes: taxes?.map(({ taxableMinor, taxMinor, ...tax }) => ({
        ...tax,
        taxable: toDecimal(taxableMinor, currency),
        tax: toDecimal(taxMinor, currency),
      })),
      reverseCharge,
      periodStart: optionalIsoTime(invoice.periodStartMs),
      periodEnd: optionalIsoTime(invoice.periodEndMs),
    }),
    paymentReference,
    ...defined({
      banking: seller.banking,
      seller: legal && toPartyResponse(legal),
      customer: isLegal ? customer : undefined,
      rfReference: transferReference(invoice),
    }),
    issuedAt: isoTime(invoice.issuedAtMs),
    dueAt: isoTime(invoice.dueAtMs),
    ...defined({
      paidAt: optionalIsoTime(invoice.paidAtMs),
      reversed: invoice.reversed || undefined,
    }),
  };
}

const toPartyResponse = ({ legalName, ...party }: LegalEntity) => ({ name: legalName, ...defined(party) });

/** A credit note as the API returns it, with decimal amounts. */
export function toCreditNoteResponse(creditNote: CreditNote): output<typeof OneCreditNote>['creditNote'] {
  const { creditNoteId, number, subscriptionId, invoiceId, invoiceNumber, reason, currency } = creditNote;
  return {
    _id: creditNoteId,
    number,
    subscriptionId,
    invoiceId,
    invoice: invoiceNumber,
    reason,
    currency,
    total: toDecimal(creditNote.totalMinor, currency),
    issuedAt: isoTime(creditNote.issuedAtMs),
  };
}

/** A payment as the API returns it, with decimal amounts. */
export function toPaymentResponse(payment: Payment): output<typeof OnePayment>['payment'] {
  const { paymentId, source, sourceId, method, amountMinor, currency, status, allocations } = payment;
  const { unappliedReason, returnReason, externalId, subscriptionId, invoiceId, reference, payer } = payment;
  const decimal = (minor: number) => toDecimal(minor, currency);
  return {
    _id: paymentId,
    source,
    sourceId,
    method,
    amount: decimal(amountMinor),
    currency,
    valueDate: isoTime(payment.valueAtMs),
    status,
    applied: allocations.map((part) => ({
      invoiceId: part.invoiceId,
      number: part.number,
      subscriptionId: part.subscriptionId,
      amount: decimal(part.amountMinor),
    })),
    credited: decimal(payment.creditedMinor),
    returned: decimal(payment.returnedMinor),
    waiting: decimal(waitingMinor(payment)),
    ...defined({ unappliedReason, returnReason, externalId, subscriptionId, invoiceId, reference, payer }),
    recordedAt: isoTime(payment.recordedAtMs),
    updatedAt: isoTime(payment.updatedAtMs),
  };
}

/** An entry of the timeline as the API returns it. */
export function toTimelineEntryResponse(
  entry: TimelineEntry,
): output<typeof OneSubscription>['subscription']['timeline'][number] {
  const { atMs, event, by, from, to, invoices = [], creditNotes, payment, unapplied, reason } = entry;
  return {
    at: isoTime(atMs),
    event,
    by,
    ...defined({ from }),
    to,
    ...defined({
      invoices: invoices.length > 0 ? [...invoices] : undefined,
      creditNotes: creditNotes && [...creditNotes],
      payment: payment && {
        _id: payment.paymentId,
        amount: toDecimal(payment.amountMinor, payment.currency),
        currency: payment.currency,
      },
      reason,
      unapplied,
    }),
  };
}
