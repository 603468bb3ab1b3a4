import { ApiError } from '../shared/errors.ts';
import { type AdvanceDeps, advance, followChange } from './advance.ts';
import { type Change, type Circumstances, changeIn } from './change.ts';
import type { Client } from './client.ts';
import { decideOn } from './deciding.ts';
import type { Subscription } from './subscription.ts';
import type { SlotChange, Write } from './subscription-store.ts';

/**
 * Writes a payment, together with what it does to the client's other subscription: the one that is paid replaces a trial, whose rest
 * is not lost, or what is overdue; one that runs on supersedes another that waits for its payment beside it. So a client
 * never has two that run.
 *
 * @param also what has to be written with it, or nothing is.
 * @returns 'lost' when somebody else was faster; 'holds' and undefined as {@link decide}.
 * @throws ApiError `conflict` when another subscription of the client is active or paused.
 */
export async function pay(
  { client, subscription }: { client: Client; subscription: Subscription },
  { by, ...paying }: Pick<Circumstances, 'by' | 'paid' | 'paymentId'>,
  deps: AdvanceDeps,
  also: readonly Write[] = [],
): Promise<Change | 'holds' | 'lost' | undefined> {
  const waits = subscription.status === 'pending';
  const other = await besideIt(client, subscription, deps);
  if (waits && (other?.status === 'active' || other?.status === 'paused')) {
    throw new ApiError('conflict', { details: { subscription: other.subscriptionId } });
  }
  const replacedTrial = waits ? trialOf(other) : undefined;
  const asking = { event: 'payment', ...paying, replacedTrial } as const;
  const change = decideOn({ client, subscription }, asking, by, deps);
  if (change === undefined || change === 'holds') return change;

  const event = waits ? 'replace' : 'supersede';
  // Paid in part, it is overdue still: what waits beside it may replace it.
  const goesOn = change.next.status === 'active';
  const gone =
    goesOn && other ? changeIn(decideOn({ client, subscription: other }, { event }, by, deps)) : undefined;
  const written = await deps.subscriptions.write(
    [change, ...(gone ? [gone] : [])],
    slotsAfter(client, change, gone !== undefined),
    also,
  );
  if (!written) return 'lost';
  if (gone !== undefined) await followChange(gone, deps);
  return change;
}

/** The subscription in the client's other slot, its steps taken that were due. */
async function besideIt(
  client: Client,
  { applicationId, externalId, subscriptionId, status }: Subscription,
  deps: AdvanceDeps,
): Promise<Subscription | undefined> {
  const id = status === 'pending' ? client.runningId : client.pendingId;
  if (id === undefined || id === subscriptionId) return undefined;
  const { subscriptions } = await deps.subscriptions.load(applicationId, externalId, [id]);
  const [other] = subscriptions;
  return other && (await advance({ client, subscription: other }, deps)).subscription;
}

function trialOf(other: Subscription | undefined): Circumstances['replacedTrial'] {
  if (other?.status !== 'trialing') return undefined;
  const { trialStartMs, trialEndMs } = other;
  return trialStartMs !== undefined && trialEndMs !== undefined
    ? { startMs: trialStartMs, endMs: trialEndMs }
    : undefined;
}

/** Becoming active, it is bound to the client's slots: nobody has begun another one meanwhile. */
function slotsAfter(client: Client, { seen, next }: Change, otherGoes: boolean): SlotChange | undefined {
  if (next.status !== 'active' || seen?.status === 'active') return undefined;
  if (seen?.status !== 'pending' && !otherGoes) return { client };
  const { trialUsedAtMs } = client;
  const set = { runningId: next.subscriptionId, ...(trialUsedAtMs !== undefined && { trialUsedAtMs }) };
  return { client, set };
}
