import { dueMinor } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { defined } from '../../shared/contract/defined.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import type { SubscriptionWithClient, Write } from '../../subscriptions/commands/subscription-store.ts';
import { toleranceMinor } from '../../subscriptions/record/policy.ts';
import type { OpenInvoice, Subscription } from '../../subscriptions/record/subscription.ts';
import { type Allocation, type Payment, unappliedMinor } from '../record/payment.ts';
import { afterReinstatement, isOutstanding, type Reversals } from '../record/reversals.ts';
import { changedPayment } from './change.ts';
import { currentOf, eventWriteOf, type ReversalEvent, readPayment, writeEarlyReversal } from './dispute.ts';
import { settlementDeps, writeEvent } from './event.ts';
import { isAlone, revivedClient } from './other-subscriptions.ts';
import { applyUnapplied } from './unapplied.ts';
import { paymentWrites, writePayment } from './writes.ts';

const deps = settlementDeps;

/**
 * Records that the money of a disputed payment came back: its invoices are paid again, and the subscription is what it was
 * without the dispute, as far as its dates allow. What is left, because an invoice was paid otherwise in the meantime, is
 * unapplied.
 *
 * @returns 'recorded' when nothing is to be restored: the reversal or the payment was not reported yet, or another
 * reversal of the payment stands.
 * @throws ApiError `conflict` after too many concurrent writes: the gateway has to deliver the event again.
 */
export async function recordReinstatement(
  event: ReversalEvent,
): Promise<'applied' | 'repeated' | 'unapplied' | 'recorded'> {
  const restored = await retryOnConflict(async () => {
    const read = await readPayment(event);
    const { payment, early, isRepeated } = read;
    if (isRepeated) return 'repeated';
    const reversals = afterReinstatement((payment ?? early)?.reversals, event);
    if (reversals === undefined) return 'repeated';
    if (payment === undefined)
      return (await writeEarlyReversal(event, read, { reversals })) ? 'recorded' : undefined;
    const writes = [eventWriteOf(read, event)];
    if (payment.status === 'disputed' && payment.taken !== undefined && !isOutstanding(reversals))
      return restore(payment, reversals, writes);
    const { reversalOf, ...fields } = payment;
    const known = defined({ reversalOf: reversalOf && isOutstanding(reversals) ? reversalOf : undefined });
    const change = changedPayment(payment, { ...fields, reversals, ...known }, [], deps.clock.nowMs());
    return (await writePayment(change, writes)) ? 'recorded' : undefined;
  });
  if (typeof restored === 'string') return restored;
  const { payment, isReplaceable } = restored;
  if (unappliedMinor(payment) === 0) return 'applied';
  const { applicationId, paymentId, subscriptionId } = payment;
  if (!isReplaceable || subscriptionId === undefined) return 'unapplied';
  // A former part or credit is settled again. If the process dies here, it waits for the seller.
  const target = { subscriptionId };
  await applyUnapplied({ applicationId, paymentId, by: 'gateway' }, target).catch(() => undefined);
  return 'applied';
}

/** @returns undefined after a concurrent write. */
async function restore(
  previous: Payment,
  reversals: Reversals,
  writes: readonly Write[],
): Promise<{ payment: Payment; isReplaceable: boolean } | undefined> {
  const { taken, ...payment } = previous;
  if (taken === undefined) return undefined;
  const current = await currentOf(previous);
  const restorable = taken.allocations.filter((part) => isRestorable(part, current));
  const rest = taken.allocations.filter((part) => !restorable.includes(part));
  const isPaidOtherwise = rest.some(
    ({ n }) => current?.invoices.find((one) => one.n === n)?.status === 'paid',
  );
  const fields = {
    ...payment,
    reversals,
    allocations: restorable,
    creditedMinor: 0,
    returnedMinor: taken.returnedMinor,
  };
  const isWaiting = unappliedMinor(fields) > 0;
  const change = changedPayment(
    previous,
    {
      ...fields,
      status: isWaiting ? 'unapplied' : 'applied',
      ...defined({ unappliedReason: isWaiting ? ('duplicate' as const) : undefined }),
    },
    isWaiting ? ['reinstated', 'unapplied'] : ['reinstated', 'applied'],
    deps.clock.nowMs(),
  );
  const result = { payment: change.next, isReplaceable: !isPaidOtherwise };
  const more = () => paymentWrites(change, writes);
  if (current === undefined) return (await writePayment(change, writes)) ? result : undefined;
  const { paymentId, sourceId, amountMinor, currency } = previous;
  const subject = { paymentId, amountMinor, currency };
  const [first, ...others] = restorable.flatMap((part) => paidAgain(part, current.invoices));
  if (first === undefined) {
    const invoice = current.invoices[0]?.number;
    const unapplied = { paymentId, ...defined({ invoice }) };
    const event = { event: 'payment_unapplied', unapplied, payment: subject } as const;
    const outcome = await writeEvent(current, event, { by: 'gateway' }, more);
    return outcome.kind === 'changed' ? result : undefined;
  }
  const ns = restorable.map(({ n }) => n);
  const { subscription } = current;
  const isRestorableNow = endedByReversalsOf(ns, subscription) && (await isAlone(current, deps));
  const outcome = await writeEvent(
    current,
    {
      event: 'payment_reinstated',
      paid: ns,
      reversed: [first, ...others],
      parts: [],
      creditMinor: 0,
      paymentId: sourceId,
      isRestorable: isRestorableNow,
      payment: subject,
    },
    { by: 'gateway' },
    more,
    isRestorableNow ? revivedClient(current) : undefined,
  );
  return outcome.kind === 'changed' ? result : undefined;
}

/** Whether the part makes its invoice paid again: the reversal alone had opened it. */
function isRestorable({ n, amountMinor }: Allocation, current: SubscriptionWithClient | undefined): boolean {
  const invoice = current?.invoices.find((one) => one.n === n);
  if (current === undefined || invoice?.reversed !== true) return false;
  if (invoice.status === 'paid' || invoice.status === 'refunded') return false;
  const missing = dueMinor(invoice) - amountMinor;
  return missing <= toleranceMinor(current.subscription.policy, invoice.currency);
}

function paidAgain({ n, amountMinor }: Allocation, invoices: readonly Invoice[]): OpenInvoice[] {
  const invoice = invoices.find((one) => one.n === n);
  if (invoice === undefined) return [];
  const { invoiceId, totalMinor, currency, receivedMinor = 0 } = invoice;
  return [{ n, invoiceId, totalMinor, currency, receivedMinor: receivedMinor + amountMinor }];
}

/** Whether an expired subscription is active again once these invoices are paid. */
function endedByReversalsOf(
  ns: readonly number[],
  { status, endReason, termEndMs, reversedAtEnd }: Subscription,
): boolean {
  if (status !== 'expired' || endReason !== 'unpaid') return false;
  if (termEndMs === undefined || termEndMs <= deps.clock.nowMs()) return false;
  return reversedAtEnd.every((n) => ns.includes(n));
}
