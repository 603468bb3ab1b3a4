/** Moves the money of a payment to the invoices that the seller names. */
import type { Invoice } from '../../invoices/invoice.ts';
import { gapOf, type Payment, unappliedMinor } from '../../ledger/payment.ts';
import { ownedBy, type PaymentFields } from '../../ledger/payment-change.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { sumMinor, toDecimal } from '../../shared/money/money.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import type { SubscriptionWithClient } from '../../subscriptions/commands/subscription-store.ts';
import { withWrittenMails } from '../../subscriptions/machine/merged-mails.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import { closeGaps } from './claims.ts';
import { getCurrent, settlementDeps } from './event.ts';
import { exactPlacement, type Misfit } from './exact.ts';
import { decided, isGateway } from './movement.ts';
import { writePlacement } from './place.ts';
import { type Share, takeShare } from './take-back.ts';
import { findTarget } from './target.ts';
import { foundPayment, notMovable, type PaymentToMove, unusedCredits } from './unapplied.ts';
import type { PendingPayment } from './writes.ts';

const deps = settlementDeps;

/** The amount that an invoice is to have of the payment, in minor units. */
export interface WantedPart {
  readonly invoiceId: string;
  readonly amountMinor: number;
}

/** A wanted part with its invoice, and its place in the request. */
interface Wanted {
  readonly invoice: Invoice;
  readonly amountMinor: number;
  readonly i: number;
}

/** Who moves the money where, and why in their words. */
interface Reallocation {
  readonly move: PaymentToMove;
  /** Goes into each transaction: the record of the operator. */
  readonly writes: PendingPayment['writes'];
  readonly wanted: readonly Wanted[];
  readonly reason: string;
  /** The subscription that the payment is for: of several clients, it is for none. */
  readonly owner: Pick<Payment, 'externalId' | 'subscriptionId'>;
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
  parts: readonly WantedPart[],
  reason: string,
): Promise<Payment> {
  const { applicationId, paymentId, by, audit = [] } = move;
  const payment = await foundPayment(applicationId, paymentId);
  if (payment.status === 'processing') throw notMovable(payment);
  const writes = () => audit;
  const mover = isGateway(payment.source) ? undefined : { by, audit };
  // A claim that was recorded, and whose money is on its way: what is left can be moved.
  if (gapOf(payment) !== undefined) await closeGaps(applicationId, paymentId, mover);
  const wanted = await findInvoices(payment, parts);
  const reallocation = { move, writes, wanted, reason, owner: ownerOf(wanted), mailed: new Map() };
  await retryOnConflict(async () => takeOff(reallocation));
  for (const group of groupsOf(wanted)) await retryOnConflict(async () => place(reallocation, group));
  return foundPayment(applicationId, paymentId);
}

/** @throws ApiError `invalid_request` for an invoice of another application or currency. */
async function findInvoices(
  { applicationId, currency }: Payment,
  parts: readonly WantedPart[],
): Promise<readonly Wanted[]> {
  const found = await Promise.all(parts.map(({ invoiceId }) => deps.invoices.find(applicationId, invoiceId)));
  return parts.map(({ amountMinor }, i) => {
    const invoice = found[i];
    if (invoice === undefined) throw invalid(i, 'invoiceId', 'is that of no invoice');
    if (invoice.currency !== currency) throw invalid(i, 'invoiceId', `is not in ${currency}`);
    return { invoice, amountMinor, i };
  });
}

function ownerOf(wanted: readonly Wanted[]): Reallocation['owner'] {
  const [first] = wanted;
  if (first === undefined) return {};
  const { externalId, subscriptionId } = first.invoice;
  return wanted.every(({ invoice }) => invoice.externalId === externalId)
    ? { externalId, subscriptionId }
    : {};
}

/** The wanted parts by subscription. */
const groupsOf = (wanted: readonly Wanted[]): readonly (readonly Wanted[])[] => [
  ...Map.groupBy(wanted, ({ invoice }) => invoice.subscriptionId).values(),
];

/** Whether a part of a payment is of an invoice. */
const isOf =
  ({ subscriptionId, n }: Pick<Invoice, 'subscriptionId' | 'n'>) =>
  (one: Pick<Invoice, 'subscriptionId' | 'n'>) =>
    one.subscriptionId === subscriptionId && one.n === n;

/** The amount of a payment that an invoice has. */
const appliedMinor = ({ allocations }: Payment, invoice: Invoice): number =>
  allocations.find(isOf(invoice))?.amountMinor ?? 0;

/** The parts of a payment that are on invoices beyond what is wanted there. */
function excessOf({ allocations }: Payment, { wanted }: Reallocation): Payment['allocations'] {
  return allocations.flatMap((one) => {
    const wantedMinor = wanted.find(({ invoice }) => isOf(invoice)(one))?.amountMinor ?? 0;
    const amountMinor = one.amountMinor - wantedMinor;
    return amountMinor > 0 ? [{ ...one, amountMinor }] : [];
  });
}

/** Takes the money off where it is too much. @returns undefined after a concurrent write. */
async function takeOff(reallocation: Reallocation): Promise<'taken' | undefined> {
  const { move, writes, reason } = reallocation;
  const taking = { kind: 'allocation', to: 'unallocated', by: move.by, reason } as const;
  let payment: Payment | undefined = await foundPayment(move.applicationId, move.paymentId);
  if (!(await isPossible(payment, reallocation))) return undefined;
  while (payment !== undefined) {
    const share: Share | undefined = await nextShare(payment, reallocation);
    if (share === undefined) return 'taken';
    const base = { ...forOwner(payment, reallocation), unappliedReason: 'reallocated' } as const;
    const pending: PendingPayment = { previous: payment, base, writes, announced: ['unapplied'] };
    const taken = await takeShare(pending, taking, share);
    const { subscription, outbox = [] } = taken ?? {};
    if (subscription !== undefined)
      reallocation.mailed.set(subscription.subscriptionId, withWrittenMails(subscription, outbox));
    payment = taken?.payment;
  }
  return undefined;
}

/**
 * @returns false after a concurrent write.
 * @throws ApiError `invalid_request` when the payment has not enough, or an invoice does not take its amount.
 */
async function isPossible(payment: Payment, reallocation: Reallocation): Promise<boolean> {
  const { wanted } = reallocation;
  const { currency } = payment;
  // Credit that was used since stays where it is.
  const unused = await unusedCredits(payment, await releasedBy(excessOf(payment, reallocation)));
  const movableMinor = sumMinor(payment.allocations) + unappliedMinor(payment) + sumMinor(unused);
  if (sumMinor(wanted) > movableMinor) {
    if (await hasChanged(payment)) return false;
    throw new ApiError('invalid_request', {
      details: {
        invoices: 'have more than the payment',
        amount: toDecimal(Math.max(0, movableMinor), currency),
        currency,
      },
    });
  }
  const placements = await Promise.all(
    groupsOf(wanted).map(async (group) => {
      const missing = missingOf(payment, group);
      if (missing.length === 0) return undefined;
      const current = await currentOf(payment, missing);
      const { client, subscription } = current;
      if (subscription.heldMails.length > 0)
        reallocation.mailed.set(subscription.subscriptionId, subscription);
      const { [currency]: creditMinor = 0, ...others } = client.credit ?? {};
      // The credit that the payment gave is taken first: it pays nothing else.
      const given = unused.find((one) => one.current?.client.externalId === client.externalId);
      const credit = { ...others, [currency]: creditMinor - (given?.amountMinor ?? 0) };
      return fitting({ ...current, client: { ...client, credit } }, payment, missing, reallocation);
    }),
  );
  return placements.every((placement) => placement !== 'stale');
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

/** Whether a payment was written since it was read. */
const hasChanged = async ({ applicationId, paymentId, revision }: Payment): Promise<boolean> =>
  (await foundPayment(applicationId, paymentId)).revision !== revision;

/** The parts that are to be added to invoices. */
function missingOf(payment: Payment, group: readonly Wanted[]): readonly Wanted[] {
  return group.flatMap(({ invoice, amountMinor, i }) => {
    const missingMinor = amountMinor - appliedMinor(payment, invoice);
    return missingMinor > 0 ? [{ invoice, amountMinor: missingMinor, i }] : [];
  });
}

/** The subscription of invoices, with its due steps taken. */
async function currentOf(
  { applicationId }: Payment,
  [first]: readonly Wanted[],
): Promise<SubscriptionWithClient> {
  const subscriptionId = first?.invoice.subscriptionId ?? '';
  const { target } = await findTarget({ applicationId, target: { subscriptionId } });
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

/** The placement of missing parts. @throws ApiError `invalid_request`, unless the payment has changed since: `stale`. */
async function fitting(
  current: SubscriptionWithClient,
  payment: Payment,
  missing: readonly Wanted[],
  reallocation: Reallocation,
) {
  const leaving = excessOf(payment, reallocation);
  const parts = missing.map(({ invoice: { n }, amountMinor }) => ({ n, amountMinor }));
  const { paymentId } = payment;
  const placement = await exactPlacement(current, decided(payment), parts, { paymentId, leaving });
  if (placement.kind !== 'misfit') return placement;
  // A repeat at the same time can have placed the part since.
  if (await hasChanged(payment)) return 'stale';
  throw misfitError(placement, payment, missing);
}

function misfitError(misfit: Misfit, payment: Payment, missing: readonly Wanted[]): ApiError {
  const { i, invoice } = missing.find((one) => one.invoice.n === misfit.n) ?? {};
  if (i === undefined || invoice === undefined) throw new Error('The invoice was not asked for');
  if ('problem' in misfit) return invalid(i, 'invoiceId', misfit.problem);
  const { currency } = payment;
  return invalid(i, 'amount', 'is more than what is due and what the payment has on the invoice', {
    due: toDecimal(misfit.dueMinor, currency),
    applied: toDecimal(appliedMinor(payment, invoice), currency),
    currency,
  });
}

const invalid = (i: number, field: keyof WantedPart | 'amount', problem: string, more: object = {}) =>
  new ApiError('invalid_request', { details: { [`invoices[${i}].${field}`]: problem, ...more } });

/**
 * The share that one transaction takes next: the latest invoices of a subscription, then credit that a client still has. What a
 * credit note of an invoice released to the client goes back with its money: it is not credit of the payment.
 */
async function nextShare(payment: Payment, reallocation: Reallocation): Promise<Share | undefined> {
  const excess = excessOf(payment, reallocation);
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

/** Places what is missing on the invoices of a subscription. @returns undefined after a concurrent write. */
async function place(reallocation: Reallocation, group: readonly Wanted[]): Promise<'placed' | undefined> {
  const { move, writes, reason } = reallocation;
  const payment = await foundPayment(move.applicationId, move.paymentId);
  const missing = missingOf(payment, group);
  if (missing.length === 0) return 'placed';
  const amountMinor = sumMinor(missing);
  // Another request has applied, returned or taken the money that waited.
  if (amountMinor > unappliedMinor(payment)) throw new ApiError('conflict');
  const current = withMails(await currentOf(payment, missing), reallocation);
  const placement = await fitting(current, payment, missing, reallocation);
  if (placement === 'stale') return undefined;
  const written = await writePlacement(
    current,
    { ...decided(payment), amountMinor, by: move.by, reason },
    placement,
    { previous: payment, base: forOwner(payment, reallocation), writes, announced: [] },
  );
  if (written.kind === 'refused') throw notMovable(payment);
  return written.kind === 'conflict' ? undefined : 'placed';
}
