import { getApplication } from '../../shared/accounts/applications.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { nowMs } from '../../shared/runtime/clock.ts';
import { newId } from '../../shared/runtime/ids.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import type { Client } from '../clients/client.ts';
import { decideFor } from '../deciding.ts';
import type { Change, TransitionContext } from '../lifecycle/decide.ts';
import type { Subscription } from '../lifecycle/subscription.ts';
import type { Event } from '../lifecycle/transitions.ts';
import { planStore } from '../plans/store.ts';
import { scheduleFollowUp } from '../scheduling/schedule.ts';
import { applyPayment } from './apply-payment.ts';
import { runDueSteps, scheduleChangeFollowUp } from './run-due-steps.ts';
import { subscriptionQueries } from './subscription-queries.ts';
import { subscriptionStore } from './subscription-store.ts';

export const commandDeps = () => ({
  subscriptions: subscriptionStore,
  reading: subscriptionQueries,
  plans: planStore,
  getApplication,
  scheduleFollowUp,
  nowMs,
  newId,
});
export type CommandDeps = ReturnType<typeof commandDeps>;

/** What is asked of a subscription, decided anew for each state that it is found in. */
export type CommandBuilder = (found: {
  client: Client;
  subscription: Subscription;
}) => Command | Promise<Command>;

/** An event and what belongs to it; 'holds' when it is so already. */
export type Command = 'holds' | ({ event: Event } & Pick<TransitionContext, 'paid' | 'resumesAtMs'>);

/**
 * Does what an application asks of a subscription: takes the steps that are due, decides, and writes, again when somebody else was
 * faster; then starts what follows.
 *
 * @throws ApiError `not_found`, `invalid_transition`, `conflict`
 */
export async function executeCommand(
  {
    applicationId,
    id,
    rateLimitPassed,
  }: { applicationId: string; id: string; rateLimitPassed: Promise<void> },
  asked: CommandBuilder,
  deps: CommandDeps,
): Promise<Subscription> {
  const { subscriptions, reading } = deps;
  const seen = await reading.owner(applicationId, id);
  await rateLimitPassed;
  if (seen === undefined) throw new ApiError('not_found');
  return retryOnConflict(async () => {
    const found = await subscriptions.getWithClient(applicationId, seen.externalId, [id]);
    const [subscription] = found.subscriptions;
    if (subscription === undefined || found.client === undefined) throw new ApiError('not_found');
    const now = await runDueSteps({ client: found.client, subscription }, deps);
    const asking = await asked(now);
    const outcome = asking === 'holds' ? asking : await outcomeOf(now, asking, deps);
    if (outcome === 'lost') return undefined;
    if (outcome === 'holds') return now.subscription;
    if (outcome === undefined) throw refused(now.subscription);
    // What is due after it (a debt that is paid late leaves the next term due) is not of this command: tried again, it would be paid too.
    await scheduleChangeFollowUp(outcome, deps);
    return outcome.next;
  });
}

async function outcomeOf(
  found: { client: Client; subscription: Subscription },
  asking: Exclude<Command, 'holds'>,
  deps: CommandDeps,
): Promise<Change | 'holds' | 'lost' | undefined> {
  if (asking.event === 'payment') return applyPayment(found, { ...asking, by: 'application' }, deps);
  const outcome = decideFor(found, asking, 'application', deps);
  if (outcome === undefined || outcome === 'holds') return outcome;
  return (await deps.subscriptions.write([outcome])) ? outcome : 'lost';
}

/** @returns the refusal, which says in which state it is. */
export function refused({ status, cancelAtPeriodEnd }: Subscription): ApiError {
  return new ApiError('invalid_transition', {
    details: { status, ...(cancelAtPeriodEnd && { cancelAtPeriodEnd }) },
  });
}
