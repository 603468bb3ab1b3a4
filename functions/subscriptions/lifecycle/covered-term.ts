/** Terms that the client's credit pays, while the steps that use it are late. */
import { defined } from '../../shared/contract/defined.ts';
import { accessAt } from '../state/access.ts';
import type { Subscription } from '../state/subscription.ts';
import { appliedChange, decide } from './decide.ts';
import type { TransitionContext } from './transition-context.ts';

/** More steps than can be due at once, except after years without a run. */
const maxSteps = 400;

/** Whether late steps can still give full access: the reader has to look at the client's credit. */
export function maybeCovered(subscription: Subscription, nowMs: number): boolean {
  const { status, timer } = subscription;
  const canRenew = status === 'trialing' || status === 'active' || status === 'paused';
  return (
    canRenew && timer !== undefined && timer.dueAtMs <= nowMs && accessAt(subscription, nowMs) !== 'full'
  );
}

/**
 * A subscription as its late steps will leave it, if the client's credit pays the term that has begun. A price of the plan
 * that has changed since the sale is not known here: access is full at most as long as grace would last.
 *
 * @returns the subscription as it is, when the credit does not suffice.
 */
export function withCoveredTerm(
  subscription: Subscription,
  client: TransitionContext['client'],
  nowMs: number,
): Subscription {
  if (!maybeCovered(subscription, nowMs)) return subscription;
  let next = subscription;
  let credit = client.credit ?? {};
  for (let round = 0; round < maxSteps; round += 1) {
    const { timer, plan, plannedChange = plan, policy, gateway, seller } = next;
    if (timer === undefined || timer.dueAtMs > nowMs) break;
    const change = appliedChange(
      decide(next, {
        event: timer.step,
        by: 'timer',
        nowMs,
        atMs: timer.dueAtMs,
        client: { ...client, credit },
        newInvoiceId: () => '',
        newCreditNoteId: () => '',
        ...defined({
          renewal:
            timer.step === 'renewal_invoice' ? { plan: plannedChange, policy, gateway, seller } : undefined,
        }),
      }),
    );
    if (change === undefined) break;
    for (const { currency, amountMinor } of change.credits)
      credit = Object.fromEntries([
        ...Object.entries(credit),
        [currency, (credit[currency] ?? 0) + amountMinor],
      ]);
    next = change.next;
  }
  return accessAt(next, nowMs) === 'full' ? next : subscription;
}
