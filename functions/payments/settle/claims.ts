import {
  afterBankReversal,
  afterClaim,
  type BankReversal,
  type Claim,
  latestClaimMs,
  reversibleMinor,
} from '../../ledger/claims.ts';
import { creditsOf, debtMinor, type Gap, gapOf, type Payment, unappliedMinor } from '../../ledger/payment.ts';
import { changedPayment } from '../../ledger/payment-change.ts';
import { gatewayOf, paymentIdOf } from '../../ledger/payment-id.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { retryOnConflict, retryWhileConflict } from '../../shared/table/optimistic-retry.ts';
import type { Write } from '../../subscriptions/commands/subscription-store.ts';
import { bankEntryStore } from './bank-entry-store.ts';
import { getCurrent, settlementDeps } from './event.ts';
import type { Conflict, RecordedPayment } from './incoming-payment.ts';
import { accountOf, isGateway, type Movement, waitingEntry } from './movement.ts';
import { type PlacedMoney, settlePayment, writePlacement } from './place.ts';
import { type Taking, takeBack } from './take-back.ts';
import { findTarget } from './target.ts';
import { foundPayment, notMovable, type PaymentToMove } from './unapplied.ts';
import { type PendingPayment, writeMovedAlone, writePayment } from './writes.ts';

export interface ClaimEvent {
  readonly applicationId: string;
  readonly paymentId: string;
  /** The gateway's id of the event. An event can be delivered more than once. */
  readonly eventId: string;
  readonly claim: Claim;
}

const deps = settlementDeps;

/**
 * Records a claim, and moves the money that it is about. Events can come in any order, and before their payment: what was
 * claimed decides, and not what came first.
 *
 * @returns 'waiting' when the payment was not reported yet: the claim is recorded for it.
 * @throws ApiError `conflict` after too many concurrent writes: the gateway has to deliver the event again.
 */
export async function recordClaim(event: ClaimEvent): Promise<'recorded' | 'repeated' | 'waiting'> {
  const { applicationId, paymentId: sourceId, eventId, claim } = event;
  const paymentId = paymentIdOf(applicationId, gatewayOf(sourceId), sourceId);
  const recorded = await retryOnConflict(async () => {
    const read = await deps.payments.getAtGateway(applicationId, { paymentId, sourceId, eventId });
    const { payment, early, isRepeated } = read;
    const claims = isRepeated ? undefined : afterClaim((payment ?? early)?.claims, claim);
    if (claims === undefined) return 'repeated';
    const nowMs = deps.clock.nowMs();
    const eventWrite = deps.payments.eventWrite(applicationId, { eventId, paymentId, nowMs });
    if (payment !== undefined) {
      const moved = await move({ ...payment, claims }, payment, byGateway, [eventWrite]);
      return moved.kind === 'conflict' ? undefined : 'recorded';
    }
    const known = { applicationId, sourceId, claims, recordedAtMs: nowMs };
    const writes = [...deps.payments.earlyClaimsWrites(known, paymentId, early), eventWrite];
    const isWritten = await deps.subscriptions.write([], [], undefined, () => ({ writes, events: [] }));
    return isWritten ? 'waiting' : undefined;
  });
  // A repeat too: the first delivery may have ended half way.
  if (recorded !== 'waiting') await closeGaps(applicationId, paymentId);
  return recorded;
}

/**
 * Moves money of a payment until it holds what its claims leave it. Each movement is one transaction. Safe to repeat.
 *
 * @returns the payment after it; undefined while it is not reported.
 * @throws as {@link recordClaim}
 */
export async function closeGaps(
  applicationId: string,
  paymentId: string,
  mover: Mover = byGateway,
): Promise<Payment | undefined> {
  const { payment } = await retryWhileConflict(async () =>
    closeGapsOf(await deps.payments.get(applicationId, paymentId), mover),
  );
  return payment;
}

async function closeGapsOf(
  payment: Payment | undefined,
  mover: Mover,
): Promise<{ readonly kind: 'closed'; readonly payment: Payment | undefined } | Conflict> {
  if (payment === undefined || openGap(payment) === undefined) return { kind: 'closed', payment };
  const moved = await move(payment, payment, mover, []);
  return moved.kind === 'conflict' ? moved : closeGapsOf(moved.payment, mover);
}

/**
 * Records what a bank took back of a payment: it recalled the transfer, or the transfer was booked by mistake. A repeat changes nothing: a
 * total decides, of which 0 undoes it, and each entry of a statement counts once, for one payment.
 *
 * @param reversal amounts in minor units; undefined for the whole payment.
 * @throws ApiError `not_found`, `conflict`; `invalid_transition` for a payment at a gateway, which reports it by itself, and for one that has
 * not arrived; `invalid_request` for more than the payment has.
 */
export async function recordReversal(
  { applicationId, paymentId, by, audit = [] }: PaymentToMove,
  reversal: BankReversal | undefined,
  reason: string,
): Promise<RecordedPayment> {
  const isOfBank = reversal !== undefined && 'entryId' in reversal;
  const mover: Mover = { by, reason, audit, isStated: isOfBank ? undefined : true };
  const reversed = await retryWhileConflict<RecordedPayment>(async () => {
    const payment = await foundPayment(applicationId, paymentId);
    const { amountMinor, source, status } = payment;
    if (isGateway(source) || status === 'processing') throw notMovable(payment);
    const stated = reversal ?? { totalMinor: amountMinor };
    const claims = afterBankReversal(payment.claims, stated, deps.clock.nowMs());
    if (claims === payment.claims) return { kind: 'unchanged', payment };
    const entry = 'entryId' in stated ? { applicationId, entryId: stated.entryId, paymentId } : undefined;
    // It took another payment back.
    if (entry !== undefined && (await bankEntryStore.get(applicationId, entry.entryId)) !== undefined)
      return { kind: 'unchanged', payment };
    const isTooMuch =
      'totalMinor' in stated
        ? stated.totalMinor > amountMinor
        : stated.amountMinor > reversibleMinor(payment.claims ?? {}, amountMinor);
    if (isTooMuch)
      throw new ApiError('invalid_request', { details: { amount: 'is more than the payment has' } });
    // An entry that the seller stated before moves nothing, and is remembered.
    const isKnown = 'totalMinor' in stated && gapOf({ ...payment, claims }) === undefined;
    if (isKnown) return { kind: 'unchanged', payment };
    const writes = entry === undefined ? [] : [bankEntryStore.write(entry)];
    return move({ ...payment, claims }, payment, mover, writes);
  });
  if (gapOf(reversed.payment) === undefined) return reversed;
  const payment = await closeGaps(applicationId, paymentId, mover);
  return { ...reversed, ...defined({ payment }) };
}

type Mover = Pick<Taking, 'by' | 'reason' | 'isStated'> & Pick<PaymentToMove, 'audit'>;

const byGateway: Mover = { by: 'gateway' };

/** Money that has not arrived yet is not moved. */
const openGap = (payment: Payment): Gap | undefined =>
  payment.status === 'processing' ? undefined : gapOf(payment);

async function move(
  payment: Payment,
  previous: Payment,
  { audit = [], ...mover }: Mover,
  more: readonly Write[],
): Promise<RecordedPayment | Conflict> {
  const writes = [...audit, ...more];
  const gap = openGap(payment);
  if (gap === undefined) {
    const change = changedPayment(previous, payment, [], deps.clock.nowMs());
    const isWritten = await writePayment(change, writes);
    return isWritten ? { kind: 'changed', payment: change.next } : { kind: 'conflict' };
  }
  const { kind, amountMinor } = gap;
  const pending = { previous, base: payment, writes: () => writes, announced: [announcedOf[kind]] };
  const account = accountOf(payment.source);
  const valueAtMs = latestClaimMs(payment.claims, kind);
  if (kind === 'dispute_won' || kind === 'refund_failed') {
    const movement: Movement = { kind, from: account, valueAtMs };
    const money = { ...payment, movement, amountMinor, by: mover.by };
    const settled = await settleBack(payment, money, pending);
    return settled.kind === 'refused' ? { kind: 'conflict' } : settled;
  }
  const taken = kind === 'dispute' && account === 'bank' ? 'reversal' : kind;
  return takeBack(pending, { kind: taken, to: account, valueAtMs, ...mover }, amountMinor);
}

/** Settles money that comes back: first what was taken beyond what the payment had, then like a payment. */
async function settleBack(
  payment: Payment,
  money: PlacedMoney,
  pending: PendingPayment,
): ReturnType<typeof writePlacement> {
  const { applicationId, subscriptionId = '', invoiceId } = payment;
  const atMost = (minor: number) => Math.min(money.amountMinor, minor);
  const missingMinor = -unappliedMinor(payment);
  if (missingMinor > 0)
    return writeMovedAlone(pending, [waitingEntry(money.movement, payment, atMost(missingMinor))]);
  const debt = creditsOf(payment).find((one) => debtMinor(one) > 0);
  const debtor = debt && (await getCurrent({ ...debt, applicationId }));
  if (debt !== undefined && debtor !== undefined) {
    const owed = { ...money, amountMinor: atMost(debtMinor(debt)) };
    return writePlacement(debtor, owed, { kind: 'credit' }, pending);
  }
  const target = invoiceId === undefined ? { subscriptionId } : { invoiceId };
  const found = await findTarget({ applicationId, target });
  return settlePayment(found.target, money, pending);
}

const announcedOf = {
  dispute: 'disputed',
  dispute_won: 'reinstated',
  refund: 'refunded',
  refund_failed: 'refund_failed',
} as const;
