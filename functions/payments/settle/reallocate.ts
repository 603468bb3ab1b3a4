/** Moves the money of a payment to the invoices that the seller names. */
import { gapOf, type Payment, unappliedMinor } from '../../ledger/payment.ts';
import { ownedBy, type PaymentFields } from '../../ledger/payment-change.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { sumMinor, toDecimal } from '../../shared/money/money.ts';
import { retryWhileConflict } from '../../shared/table/optimistic-retry.ts';
import type { SubscriptionWithClient } from '../../subscriptions/commands/subscription-store.ts';
import { withWrittenMails } from '../../subscriptions/machine/merged-mails.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import { closeGaps } from './claims.ts';
import { getCurrent, settlementDeps } from './event.ts';
import { exactPlacement } from './exact.ts';
import type { Conflict, RecordedPayment } from './incoming-payment.ts';
import { decided, isGateway } from './movement.ts';
import { writePlacement } from './place.ts';
import { type Share, takeShare } from './take-back.ts';
import { targetAt } from './target.ts';
import { foundPayment, notMovable, type PaymentToMove, unusedCredits } from './unapplied.ts';
import {
  excessOf,
  findInvoices,
  groupsOf,
  misfitError,
  missingOf,
  ownerOf,
  type Wanted,
  type WantedPart,
} from './wanted-parts.ts';
import type { PendingPayment } from './writes.ts';

const deps = settlementDeps;

interface Reallocation {
  readonly move: PaymentToMove;
  /** Goes into each transaction: the record of the operator. */
  readonly writes: PendingPayment['writes'];
  readonly wanted: readonly Wanted[];
  readonly reason: string;
  readonly owner: ReturnType<typeof ownerOf>;
  /** By id, the subscriptions with the mails that this request has written: the mail of its last movement replaces them. */
  readonly mailed: Map<string, Subscription>;
}

/**
 * Moves the money of a payment, so that exactly these invoices have exactly these amounts of it. The rest waits for a
 * decision, but for credit that was used since. First the money is taken off where it is too much, then it is placed: each
 * movement is one transaction for a subscription, and between them the money waits. A repeat continues, and changes nothing
 * when the money is where it is wanted.
 *
 * @throws ApiError `not_found`; `invalid_request` for an invoice that cannot have its amount, and for more than the payment
 * has; `invalid_transition` for a payment that has not arrived; `conflict` when another request moves the money meanwhile.
 */
export async function recordReallocation(
  move: PaymentToMove,
  partsIn: (currency: string) => readonly WantedPart[],
  reason: string,
): Promise<Payment> {
  const { applicationId, paymentId, audit = [] } = move;
  const found = await foundPayment(applicationId, paymentId);
  const parts = partsIn(found.currency);
  const payment = await withoutGaps(found, move);
  const wanted = await findInvoices(payment, parts);
  const writes = () => audit;
  const reallocation = { move, writes, wanted, reason, owner: ownerOf(wanted), mailed: new Map() };
  let moved = await moveLatest(payment, (latest) => takeOff(latest, reallocation));
  for (const group of groupsOf(wanted))
    moved = await moveLatest(moved, (latest) => place(latest, group, reallocation));
  return moved;
}

/** A claim that was recorded, and whose money is on its way: what is left can be moved. */
async function withoutGaps(payment: Payment, { by, audit = [] }: PaymentToMove): Promise<Payment> {
  const { applicationId, paymentId, source, status } = payment;
  if (status === 'processing') throw notMovable(payment);
  if (gapOf(payment) === undefined) return payment;
  const mover = isGateway(source) ? undefined : { by, audit };
  return (await closeGaps(applicationId, paymentId, mover)) ?? payment;
}

async function moveLatest(
  known: Payment,
  moveMoney: (payment: Payment) => Promise<RecordedPayment | Conflict>,
): Promise<Payment> {
  let isKnown = true;
  const { payment } = await retryWhileConflict(async () => {
    const latest = isKnown ? known : await foundPayment(known.applicationId, known.paymentId);
    isKnown = false;
    return moveMoney(latest);
  });
  return payment;
}

/** Takes the money off where it is too much, if all of the request is possible. */
async function takeOff(payment: Payment, reallocation: Reallocation): Promise<RecordedPayment | Conflict> {
  const placements = await placementsAhead(payment, reallocation);
  return placements.kind === 'conflict' ? placements : takeShares(payment, reallocation);
}

/** Takes one share after the other, each in a transaction. */
async function takeShares(payment: Payment, reallocation: Reallocation): Promise<RecordedPayment | Conflict> {
  const { move, writes, reason, mailed } = reallocation;
  const share = await nextShare(payment, reallocation);
  if (share === undefined) return { kind: 'unchanged', payment };
  const taking = { kind: 'allocation', to: 'unallocated', by: move.by, reason } as const;
  const base = { ...forOwner(payment, reallocation), unappliedReason: 'reallocated' } as const;
  const pending: PendingPayment = { previous: payment, base, writes, announced: ['unapplied'] };
  const taken = await takeShare(pending, taking, share);
  if (taken.kind === 'conflict') return taken;
  const { subscription, outbox = [] } = taken;
  if (subscription !== undefined)
    mailed.set(subscription.subscriptionId, withWrittenMails(subscription, outbox));
  return takeShares(taken.payment, reallocation);
}

/**
 * Decides where all the parts will go, before any money moves.
 *
 * @throws ApiError `invalid_request` when the payment has not enough, or an invoice does not take its amount.
 */
async function placementsAhead(
  payment: Payment,
  reallocation: Reallocation,
): Promise<{ readonly kind: 'possible' } | Conflict> {
  const { wanted, mailed } = reallocation;
  const { currency } = payment;
  // Credit that was used since stays where it is.
  const unused = await unusedCredits(payment, await releasedBy(excessOf(payment, reallocation.wanted)));
  const movableMinor = sumMinor(payment.allocations) + unappliedMinor(payment) + sumMinor(unused);
  if (sumMinor(wanted) > movableMinor) {
    const amount = toDecimal(Math.max(0, movableMinor), currency);
    const details = { invoices: 'have more than the payment', amount, currency };
    return unlessWritten(payment, new ApiError('invalid_request', { details }));
  }
  const placements = await Promise.all(
    groupsOf(wanted)
      .map((group) => missingOf(payment, group))
      .filter((missing) => missing.length > 0)
      .map(async (missing) => {
        const current = await currentOf(missing);
        const { client, subscription } = current;
        if (subscription.heldMails.length > 0) mailed.set(subscription.subscriptionId, subscription);
        const { [currency]: creditMinor = 0, ...others } = client.credit ?? {};
        // The credit that the payment gave is taken first: it pays nothing else.
        const given = unused.find((one) => one.current?.client.externalId === client.externalId);
        const credit = { ...others, [currency]: creditMinor - (given?.amountMinor ?? 0) };
        return fitting({ ...current, client: { ...client, credit } }, payment, missing, reallocation);
      }),
  );
  return placements.some(({ kind }) => kind === 'conflict') ? { kind: 'conflict' } : { kind: 'possible' };
}

/** The credit that goes back with money of paid invoices, because credit notes released it. */
const releasedBy = (allocations: Payment['allocations']): Promise<Payment['allocations']> =>
  Promise.all(
    allocations.map(async (one) => {
      const invoice = await deps.invoices.get(one.subscriptionId, one.n);
      const releasedMinor = invoice?.status === 'paid' ? (invoice.settled?.releasedMinor ?? 0) : 0;
      return { ...one, amountMinor: Math.min(releasedMinor, one.amountMinor) };
    }),
  );

/** A repeat at the same time can have moved the money since: it is decided again. @throws the problem of a payment that is as it was read. */
async function unlessWritten(
  { applicationId, paymentId, revision }: Payment,
  problem: ApiError,
): Promise<Conflict> {
  const latest = await foundPayment(applicationId, paymentId);
  if (latest.revision === revision) throw problem;
  return { kind: 'conflict' };
}

async function currentOf([first]: readonly Wanted[]): Promise<SubscriptionWithClient> {
  const { target } = await targetAt(first?.invoice, undefined);
  if (target === undefined) throw new ApiError('not_found');
  return target.current;
}

/** A subscription with the mails that this request has written, unless it has changed since. */
function withMails(current: SubscriptionWithClient, { mailed }: Reallocation): SubscriptionWithClient {
  const { subscriptionId, revision } = current.subscription;
  const subscription = mailed.get(subscriptionId);
  // A mail can be sent meanwhile. Then the write is refused, and a repeat leaves the mail as it is.
  mailed.delete(subscriptionId);
  return subscription?.revision === revision ? { ...current, subscription } : current;
}

/** The placement of missing parts. @throws ApiError `invalid_request` */
async function fitting(
  current: SubscriptionWithClient,
  payment: Payment,
  missing: readonly Wanted[],
  reallocation: Reallocation,
) {
  const leaving = excessOf(payment, reallocation.wanted);
  const parts = missing.map(({ invoice: { n }, amountMinor }) => ({ n, amountMinor }));
  const { paymentId } = payment;
  const placement = await exactPlacement(current, decided(payment), parts, { paymentId, leaving });
  return placement.kind === 'misfit'
    ? unlessWritten(payment, misfitError(placement, payment, missing))
    : placement;
}

/**
 * The share that one transaction takes next: the latest invoices of a subscription, then credit that a client still has. What a
 * credit note of an invoice released to the client goes back with its money: it is not credit of the payment.
 */
async function nextShare(payment: Payment, reallocation: Reallocation): Promise<Share | undefined> {
  const excess = excessOf(payment, reallocation.wanted);
  const latest = excess.at(-1);
  if (latest !== undefined) {
    const current = await getCurrent({ ...latest, applicationId: payment.applicationId });
    const ofLatest = excess.filter((one) => one.subscriptionId === latest.subscriptionId);
    return { current, waitingMinor: 0, creditMinor: 0, allocations: ofLatest.toReversed() };
  }
  const [credit] = await unusedCredits(payment);
  if (credit === undefined) return undefined;
  return { current: credit.current, waitingMinor: 0, creditMinor: credit.amountMinor, allocations: [] };
}

/** The payment as it is for the owner of the wanted invoices: money that comes back is not for the former ones. */
function forOwner({ invoiceId, ...payment }: Payment, { wanted, owner }: Reallocation): PaymentFields {
  const isWanted = wanted.some(({ invoice }) => invoice.invoiceId === invoiceId);
  return ownedBy({ ...payment, ...defined({ invoiceId: isWanted ? invoiceId : undefined }) }, owner);
}

async function place(
  payment: Payment,
  group: readonly Wanted[],
  reallocation: Reallocation,
): Promise<RecordedPayment | Conflict> {
  const { move, writes, reason } = reallocation;
  const missing = missingOf(payment, group);
  if (missing.length === 0) return { kind: 'unchanged', payment };
  const amountMinor = sumMinor(missing);
  // Another request has applied, returned or taken the money that waited.
  if (amountMinor > unappliedMinor(payment)) throw new ApiError('conflict');
  const current = withMails(await currentOf(missing), reallocation);
  const placement = await fitting(current, payment, missing, reallocation);
  if (placement.kind === 'conflict') return placement;
  const written = await writePlacement(
    current,
    { ...decided(payment), amountMinor, by: move.by, reason },
    placement,
    { previous: payment, base: forOwner(payment, reallocation), writes, announced: [] },
  );
  if (written.kind === 'refused') throw notMovable(payment);
  return written;
}
