import { defined } from '../shared/contract/defined.ts';
import type { EventOf } from '../shared/contract/event-types.ts';
import type { NewEvent } from '../shared/events/events-write.ts';
import type { Entry, EntryKind } from './entry.ts';
import {
  type Allocation,
  type CreditPart,
  creditsOf,
  goneMinor,
  type HeldMoney,
  type Payment,
  type PaymentChange,
  type PaymentStatus,
  unappliedMinor,
} from './payment.ts';
import { toPaymentResponse } from './present-payment.ts';

/** A payment without the fields that its write counts. */
export type PaymentFields = Omit<Payment, 'eventCount' | 'revision' | 'updatedAtMs'>;

/** The client of credit, and the subscription that shows how it moves. */
type CreditOwner = Pick<CreditPart, 'externalId' | 'subscriptionId'>;

/** The n-th invoice of a subscription, as a payment names it, and whether it is paid after the entries. */
export type InvoiceOfN = (n: number) => Omit<Allocation, 'amountMinor' | 'n'>;

/** The sum of money that is gone, by the kind of entry that takes it or gives it back. */
const goneByKind: { readonly [K in EntryKind]?: 'returnedMinor' | 'refundedMinor' | 'disputedMinor' } = {
  pay_out: 'returnedMinor',
  refund: 'refundedMinor',
  refund_failed: 'refundedMinor',
  dispute: 'disputedMinor',
  dispute_won: 'disputedMinor',
  reversal: 'disputedMinor',
};

/**
 * Where the money of a payment is after entries of one subscription. Entries of other payments do not matter.
 *
 * @param owner of the subscription; undefined for entries of none, which move no credit.
 */
export function heldAfter(
  payment: Parameters<typeof creditsOf>[0] & Pick<Payment, 'paymentId'> & HeldMoney,
  entries: readonly Entry[],
  invoiceOf: InvoiceOfN,
  owner: CreditOwner | undefined,
): HeldMoney {
  const { allocations, creditedMinor, returnedMinor, refundedMinor, disputedMinor } = payment;
  const credits = creditsOf(payment);
  const held = { allocations, creditedMinor, credits, returnedMinor, refundedMinor, disputedMinor };
  for (const { kind, paymentId, postings } of entries) {
    if (paymentId !== payment.paymentId) continue;
    for (const posting of postings) {
      const { account, amountMinor } = posting;
      const gone = goneByKind[kind];
      if (account === 'receivable') {
        const { n } = posting;
        const moved = { ...invoiceOf(n), n, amountMinor: -amountMinor };
        held.allocations = allocationsAfter(held.allocations, moved);
      } else if (account === 'credit') {
        held.creditedMinor -= amountMinor;
        const backMinor = gone === undefined ? 0 : Math.max(0, -amountMinor);
        if (owner !== undefined) held.credits = creditsAfter(held.credits, owner, -amountMinor, -backMinor);
      } else if ((account === 'bank' || account === 'gateway') && gone !== undefined)
        held[gone] -= amountMinor;
    }
  }
  return held;
}

function allocationsAfter(allocations: readonly Allocation[], moved: Allocation): Allocation[] {
  const isSame = ({ subscriptionId, n }: Allocation) =>
    subscriptionId === moved.subscriptionId && n === moved.n;
  const former = allocations.find(isSame);
  const amountMinor = (former?.amountMinor ?? 0) + moved.amountMinor;
  const { isPaid, ...part } = moved;
  // An invoice that another payment has paid since was not paid by this part.
  const pays = moved.amountMinor > 0 || former?.isPaid;
  const after = { ...part, amountMinor, ...defined({ isPaid: pays ? isPaid : undefined }) };
  if (former === undefined) return [...allocations, after];
  const others = (one: Allocation) => (one === former ? after : one);
  return allocations.map(others).filter((one) => one.amountMinor !== 0);
}

/** The credit of a payment by client, after a client gets some of it, and after they owe more or less of it. */
export function creditsAfter(
  credits: readonly CreditPart[],
  { externalId, subscriptionId }: CreditOwner,
  movedMinor: number,
  owedMinor: number,
): CreditPart[] {
  const isSame = (one: CreditPart) => one.externalId === externalId;
  const former = credits.find(isSame);
  const amountMinor = (former?.amountMinor ?? 0) + movedMinor;
  const owed = Math.max(0, (former?.owedMinor ?? 0) + owedMinor) || undefined;
  const others = credits.filter((one) => !isSame(one));
  const part = { externalId, subscriptionId, amountMinor, ...defined({ owedMinor: owed }) };
  return amountMinor === 0 && owed === undefined ? others : [...others, part];
}

/**
 * The payment for another client, or for none. Credit stays that of the client who has it.
 *
 * @param owner without fields for none.
 */
export function ownedBy(
  payment: PaymentFields,
  owner: Pick<Payment, 'externalId' | 'subscriptionId'>,
): PaymentFields {
  const { externalId: _, subscriptionId: __, ...fields } = payment;
  return { ...fields, ...owner, credits: creditsOf(payment) };
}

/**
 * The payment after entries, as {@link heldAfter}: its status is where its money is then.
 *
 * @param payment its `unappliedReason` is kept while money waits.
 */
export function movedPayment(
  { unappliedReason, ...payment }: PaymentFields,
  { entries, invoiceOf, owner }: MovedMoney,
): PaymentFields {
  const held = { ...payment, ...heldAfter(payment, entries, invoiceOf, owner) };
  const status = settledStatus(held);
  const reason = status === 'unapplied' ? unappliedReason : undefined;
  return { ...held, status, ...defined({ unappliedReason: reason }) };
}

export interface MovedMoney {
  readonly entries: readonly Entry[];
  readonly invoiceOf: InvoiceOfN;
  readonly owner: CreditOwner | undefined;
}

/** The change of a payment to these fields. A field that is `undefined` is removed. */
export function changedPayment(
  previous: Payment | undefined,
  fields: PaymentFields,
  announced: readonly EventOf<'payment'>[],
  nowMs: number,
): PaymentChange {
  const { credits = [], ...others } = fields;
  const areOwn = credits.every(
    ({ externalId, owedMinor }) => externalId === fields.externalId && owedMinor === undefined,
  );
  const next: Payment = {
    ...others,
    ...defined({ credits: areOwn ? undefined : credits }),
    updatedAtMs: nowMs,
    eventCount: (previous?.eventCount ?? 0) + announced.length,
    revision: (previous?.revision ?? 0) + 1,
  };
  // A bank takes back what the seller has sent back already.
  if (unappliedMinor(next) < Math.min(0, next.amountMinor - goneMinor(next)))
    throw new Error('More of a payment is used than it has');
  return { previous, next, announced };
}

/** The events of a change, which all show the payment as the change leaves it. */
export function paymentEvents({ next, announced }: PaymentChange): NewEvent[] {
  const first = next.eventCount - announced.length + 1;
  return announced.map((name, i) => ({
    type: `payment.${name}`,
    sequence: first + i,
    data: toPaymentResponse(next),
    subscriptionId: next.subscriptionId,
  }));
}

/** The state of a payment whose money has arrived, by where the money is. */
export function settledStatus(payment: HeldMoney & Pick<Payment, 'amountMinor'>): PaymentStatus {
  const { allocations, creditedMinor, disputedMinor, refundedMinor, returnedMinor } = payment;
  if (unappliedMinor(payment) > 0) return 'unapplied';
  if (allocations.length > 0) return allocations.some(({ isPaid }) => isPaid) ? 'applied' : 'partial';
  if (creditedMinor > 0) return 'credit';
  if (disputedMinor > 0) return 'disputed';
  if (refundedMinor > 0) return 'refunded';
  return returnedMinor > 0 ? 'returned' : 'applied';
}
