import { creditAfter } from '../../ledger/entry.ts';
import { accessAt } from '../record/access.ts';
import type { Subscription } from '../record/subscription.ts';
import { appliedChange, decide } from './decide.ts';
import type { CommonContext } from './event.ts';

/** More steps than can be due at once, except after years without a run. */
const maxSteps = 400;

// Stryker disable next-line StringLiteral: nothing is written, and an invoice that credit pays is not open.
const unwrittenId = () => '';

/**
 * A subscription as its late steps will leave it, if the client's credit pays the term that has begun. A price of the plan
 * that has changed since the sale is not known here: access is full at most as long as grace would last.
 *
 * @returns the subscription as it is, when the credit does not suffice.
 */
export function withCoveredTerm(
  subscription: Subscription,
  client: CommonContext['client'],
  nowMs: number,
): Subscription {
  if (accessAt(subscription, nowMs) === 'full') return subscription;
  let next = subscription;
  let credit = client.credit ?? {};
  // Stryker disable next-line EqualityOperator,AssignmentOperator: no course of a test has as many steps.
  for (let round = 0; round < maxSteps; round += 1) {
    const { timer, plan, plannedChange = plan, policy, gateway, seller } = next;
    if (timer === undefined || timer.dueAtMs > nowMs) break;
    const change = appliedChange(
      decide(next, {
        event: timer.step,
        // Stryker disable next-line StringLiteral: no timeline is written.
        by: 'timer',
        nowMs,
        atMs: timer.dueAtMs,
        mails: 'sent',
        client: { ...client, credit },
        newInvoiceId: unwrittenId,
        newCreditNoteId: unwrittenId,
        renewal: { plan: plannedChange, policy, gateway, seller },
      }),
    );
    if (change === undefined) break;
    credit = creditAfter(credit, change.books);
    next = change.next;
  }
  return accessAt(next, nowMs) === 'full' ? next : subscription;
}
