import { invoiceStore } from '../../invoices/store.ts';
import { planStore } from '../../plans/store.ts';
import { getApplication } from '../../shared/accounts/applications.ts';
import type { AuditWrite } from '../../shared/audit/write.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { clock } from '../../shared/runtime/clock.ts';
import { newId } from '../../shared/runtime/ids.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import { decide, type Outcome } from '../machine/decide.ts';
import type { Event } from '../machine/event.ts';
import { transitionContext } from '../machine/transition-context.ts';
import type { Subscription } from '../record/subscription.ts';
import { scheduleFollowUp } from '../timers/schedule.ts';
import { withCredits } from './client-subscriptions-store.ts';
import { runDueSteps, scheduleChangeFollowUp } from './run-due-steps.ts';
import { type SubscriptionOwner, subscriptionQueries } from './subscription-queries.ts';
import { type SubscriptionWithClient, subscriptionStore } from './subscription-store.ts';

/** The dependencies of {@link runDueSteps} that write. A preview has others. */
export const commandDeps = {
  subscriptions: subscriptionStore,
  invoices: invoiceStore,
  plans: planStore,
  getApplication,
  scheduleFollowUp,
  clock,
  newId,
};

/** An event that an application or a subscriber requests, with its input. */
export type Command = Event & {
  /** The audit record of the change, for its transaction. */
  readonly audit?: (next: Subscription) => AuditWrite;
};

/** Builds the command for the current state of the subscription; `unchanged` when there is nothing to do. */
export type CommandBuilder = (
  current: SubscriptionWithClient,
) => CommandOrUnchanged | Promise<CommandOrUnchanged>;
type CommandOrUnchanged = Command | { readonly kind: 'unchanged' };

/**
 * Executes a command of an application on one of its subscriptions. See {@link executeCommandOn}.
 *
 * @param rateLimitPassed awaited after the first read and before the first write.
 * @throws ApiError `not_found`, `invalid_transition`, `conflict`
 */
export async function executeCommand(
  {
    applicationId,
    id,
    rateLimitPassed,
  }: { applicationId: string; id: string; rateLimitPassed: Promise<void> },
  buildCommand: CommandBuilder,
): Promise<Subscription> {
  const owner = await subscriptionQueries.getOwner(applicationId, id);
  await rateLimitPassed;
  if (owner === undefined) throw new ApiError('not_found');
  return executeCommandOn(owner, 'application', buildCommand);
}

/**
 * Executes a command on a subscription: takes the due steps, decides and writes, and repeats this after a
 * concurrent write. Then it schedules the follow-up of the change.
 *
 * @param by who requests it, as the timeline says.
 * @returns the subscription after the command.
 * @throws ApiError `not_found`, `invalid_transition`, `conflict`
 */
export async function executeCommandOn(
  { applicationId, externalId, subscriptionId }: SubscriptionOwner,
  by: 'application' | 'subscriber',
  buildCommand: CommandBuilder,
): Promise<Subscription> {
  return retryOnConflict(async () => {
    const [{ client, subscriptions }, invoices] = await Promise.all([
      subscriptionStore.getWithClient(applicationId, externalId, [subscriptionId]),
      invoiceStore.latest(subscriptionId),
    ]);
    const [subscription] = subscriptions;
    if (subscription === undefined || client === undefined) throw new ApiError('not_found');
    const current = await runDueSteps({ client, subscription, invoices }, commandDeps);
    const command = await buildCommand(current);
    const outcome = 'kind' in command ? command : await execute(current, command, by);
    switch (outcome.kind) {
      case 'conflict':
        return undefined;
      case 'unchanged':
        return current.subscription;
      case 'refused':
        throw invalidTransition(current.subscription);
      case 'changed':
        // Steps that become due by this change (arrears paid late leave the next term due) are not taken
        // here: a retry of this command would pay their invoices too.
        await scheduleChangeFollowUp(outcome.change, commandDeps);
        return outcome.change.next;
    }
  });
}

async function execute(
  current: SubscriptionWithClient,
  command: Command,
  by: 'application' | 'subscriber',
): Promise<Outcome> {
  const { client, subscription, invoices } = current;
  const { audit, ...event } = command;
  const outcome = decide(subscription, transitionContext(event, { client, by }, commandDeps));
  if (outcome.kind !== 'changed') return outcome;
  const { change } = outcome;
  const isWritten = await subscriptionStore.write([change], invoices, withCredits(client, [change]), () => ({
    writes: audit ? [audit(change.next)] : [],
    events: [],
  }));
  return isWritten ? outcome : { kind: 'conflict' };
}

/** The error of a refused command. Its details contain the state of the subscription, and what helps. */
export function invalidTransition({ status, cancelAtPeriodEnd }: Subscription, help?: string): ApiError {
  return new ApiError('invalid_transition', {
    details: defined({ status, cancelAtPeriodEnd: cancelAtPeriodEnd || undefined, help }),
  });
}
