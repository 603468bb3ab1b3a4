import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { Client } from '../clients/client.ts';
import { decideFor } from '../deciding.ts';
import { appliedChange, type Change, type TransitionContext } from '../lifecycle/decide.ts';
import type { Subscription } from '../lifecycle/subscription.ts';
import { type RunStepsDeps, runDueSteps, scheduleChangeFollowUp } from './run-due-steps.ts';
import type { ClientSubscriptionsChange, Write } from './subscription-store.ts';

/**
 * Writes a payment, together with what it does to the client's other subscription: the one that is paid replaces a trial, whose rest
 * is not lost, or what is overdue; one that runs on supersedes another that waits for its payment beside it. So a client
 * never has two that run.
 *
 * @param also what has to be written with it, or nothing is.
 * @returns 'lost' when somebody else was faster; 'holds' and undefined as {@link decide}.
 * @throws ApiError `conflict` when another subscription of the client is active or paused.
 */
export async function applyPayment(
  { client, subscription }: { client: Client; subscription: Subscription },
  { by, ...paying }: Pick<TransitionContext, 'by' | 'paid' | 'paymentId'>,
  deps: RunStepsDeps,
  also: readonly Write[] = [],
): Promise<Change | 'holds' | 'lost' | undefined> {
  const waits = subscription.status === 'pending';
  const other = await findConcurrent(client, subscription, deps);
  if (waits && (other?.status === 'active' || other?.status === 'paused')) {
    throw new ApiError('conflict', { details: { subscription: other.subscriptionId } });
  }
  const replacedTrial = waits ? replacedTrialOf(other) : undefined;
  const asking = { event: 'payment', ...paying, replacedTrial } as const;
  const change = decideFor({ client, subscription }, asking, by, deps);
  if (change === undefined || change === 'holds') return change;

  const event = waits ? 'replace' : 'supersede';
  // Paid in part, it is overdue still: what waits beside it may replace it.
  const goesOn = change.next.status === 'active';
  const gone =
    goesOn && other
      ? appliedChange(decideFor({ client, subscription: other }, { event }, by, deps))
      : undefined;
  const written = await deps.subscriptions.write(
    [change, ...(gone ? [gone] : [])],
    clientSubscriptionsAfter(client, change, gone !== undefined),
    also,
  );
  if (!written) return 'lost';
  if (gone !== undefined) await scheduleChangeFollowUp(gone, deps);
  return change;
}

/** The subscription in the client's other slot, its steps taken that were due. */
async function findConcurrent(
  client: Client,
  { applicationId, externalId, subscriptionId, status }: Subscription,
  deps: RunStepsDeps,
): Promise<Subscription | undefined> {
  const id = status === 'pending' ? client.runningId : client.pendingId;
  if (id === undefined || id === subscriptionId) return undefined;
  const { subscriptions } = await deps.subscriptions.getWithClient(applicationId, externalId, [id]);
  const [other] = subscriptions;
  return other && (await runDueSteps({ client, subscription: other }, deps)).subscription;
}

function replacedTrialOf(other: Subscription | undefined): TransitionContext['replacedTrial'] {
  if (other?.status !== 'trialing') return undefined;
  const { trialStartMs, trialEndMs } = other;
  return trialStartMs !== undefined && trialEndMs !== undefined
    ? { startMs: trialStartMs, endMs: trialEndMs }
    : undefined;
}

/** Becoming active, it is bound to the client's slots: nobody has begun another one meanwhile. */
function clientSubscriptionsAfter(
  client: Client,
  { previous: seen, next }: Change,
  otherGoes: boolean,
): ClientSubscriptionsChange | undefined {
  if (next.status !== 'active' || seen?.status === 'active') return undefined;
  if (seen?.status !== 'pending' && !otherGoes) return { client };
  const { trialUsedAtMs } = client;
  const set = { runningId: next.subscriptionId, ...defined({ trialUsedAtMs }) };
  return { client, set };
}
