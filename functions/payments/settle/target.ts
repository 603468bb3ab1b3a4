import type { Invoice } from '../../invoices/invoice.ts';
import { runDueSteps } from '../../subscriptions/commands/run-due-steps.ts';
import { readTogether, type SubscriptionOwner } from '../../subscriptions/commands/subscription-queries.ts';
import type { SubscriptionWithClient } from '../../subscriptions/commands/subscription-store.ts';
import { parseReference } from '../../subscriptions/record/reference-number.ts';
import { settlementDeps } from './event.ts';
import type { IncomingPayment } from './incoming-payment.ts';

const deps = settlementDeps;

/** The target of a payment as it was read: the subscription with its due steps taken, and the invoice that was named. */
export interface Target {
  readonly current: SubscriptionWithClient;
  readonly named: Invoice | undefined;
}

/** `unmatched`: no subscription has the reference. `missing`: the application has no such invoice or subscription. */
export type FoundTarget =
  | { readonly kind: 'found'; readonly target: Target }
  | { readonly kind: 'unmatched' | 'missing'; readonly target?: undefined };

export async function findTarget({
  applicationId,
  target,
}: Pick<IncomingPayment, 'applicationId' | 'target'>): Promise<FoundTarget> {
  if ('waitingText' in target) return { kind: 'unmatched' };
  if ('reference' in target) {
    // A text that only contains a number is for a person to decide.
    if (parseReference(target.reference) !== target.reference) return { kind: 'unmatched' };
    const owner = await deps.queries.getOwnerByReference(applicationId, target.reference);
    return owner === undefined ? { kind: 'unmatched' } : targetAt(owner, undefined);
  }
  if ('subscriptionId' in target) {
    const owner = await deps.queries.getOwner(applicationId, target.subscriptionId);
    return targetAt(owner, undefined);
  }
  const named = await deps.invoices.find(applicationId, target.invoiceId);
  return targetAt(named, named);
}

export async function targetAt(
  owner: SubscriptionOwner | undefined,
  named: Invoice | undefined,
): Promise<FoundTarget> {
  if (owner === undefined) return { kind: 'missing' };
  // A change of an invoice is conditioned on it as read, so that both can be read at once.
  const read = await readTogether(owner, deps.invoices.latest(owner.subscriptionId));
  if (read === undefined) return { kind: 'missing' };
  const current = await runDueSteps({ ...read, invoices: withNamed(read.invoices, named) }, deps);
  return { kind: 'found', target: { current, named } };
}

/** Invoices as read last: the named one was read before the others. */
function withNamed(invoices: readonly Invoice[], named: Invoice | undefined): readonly Invoice[] {
  if (named === undefined || invoices.some(({ n }) => n === named.n)) return invoices;
  return [...invoices, named];
}
