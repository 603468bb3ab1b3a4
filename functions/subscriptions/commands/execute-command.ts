import type { Invoice } from '../../invoices/invoice.ts';
import { invoiceStore } from '../../invoices/store.ts';
import { planStore } from '../../plans/store.ts';
import { getApplication } from '../../shared/accounts/applications.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError, found } from '../../shared/contract/errors.ts';
import { clock } from '../../shared/runtime/clock.ts';
import { newId } from '../../shared/runtime/ids.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import { type Change, decide } from '../machine/decide.ts';
import { type Event, transitionContext } from '../machine/event.ts';
import type { Subscription } from '../record/subscription.ts';
import { scheduleFollowUp } from '../timers/schedule.ts';
import { type ClientSubscriptionsChange, withCredits } from './client-subscriptions-store.ts';
import { runDueSteps } from './run-due-steps.ts';
import { readTogether, type SubscriptionOwner } from './subscription-queries.ts';
import { type SubscriptionWithClient, subscriptionStore, type Write } from './subscription-store.ts';

export const commandDeps = {
  subscriptions: subscriptionStore,
  invoices: invoiceStore,
  plans: planStore,
  getApplication,
  scheduleFollowUp,
  clock,
  newId,
};

/** Builds the event for the current state of the subscription; `unchanged` when there is nothing to do. */
export type CommandBuilder = (
  current: SubscriptionWithClient,
) => EventOrUnchanged | Promise<EventOrUnchanged>;
type EventOrUnchanged = Event | { readonly kind: 'unchanged' };

/**
 * Executes a command on a subscription: takes the due steps, decides and writes.
 *
 * @param by who requests it, as the timeline says.
 * @returns the subscription after the command.
 * @throws ApiError `not_found`, `invalid_transition`, `conflict`
 */
export function executeCommandOn(
  owner: SubscriptionOwner,
  by: 'application' | 'subscriber',
  buildCommand: CommandBuilder,
): Promise<Subscription> {
  return execute(() => decideCommandOn(owner, by, buildCommand));
}

/**
 * Takes the due steps of the subscription before it decides.
 *
 * @param writesOf what else belongs to the transaction of a change.
 * @throws ApiError `not_found`, `invalid_transition`
 */
export async function decideCommandOn(
  owner: SubscriptionOwner,
  by: 'application' | 'subscriber',
  buildCommand: CommandBuilder,
  writesOf: (change: Change) => readonly Write[] = () => [],
): Promise<Decided<Subscription>> {
  const read = found(await readTogether(owner, invoiceStore.latest(owner.subscriptionId)));
  const current = await runDueSteps(read, commandDeps);
  const event = await buildCommand(current);
  return 'kind' in event
    ? { kind: 'unchanged', response: current.subscription }
    : decideEvent(current, event, by, writesOf);
}

function decideEvent(
  { client, subscription, invoices }: SubscriptionWithClient,
  event: Event,
  by: 'application' | 'subscriber',
  writesOf: (change: Change) => readonly Write[],
): Decided<Subscription> {
  const outcome = decide(subscription, transitionContext(event, { client, by }, commandDeps));
  if (outcome.kind === 'refused') throw invalidTransition(subscription);
  if (outcome.kind === 'unchanged') return { kind: 'unchanged', response: subscription };
  const { change } = outcome;
  const writes = writesOf(change);
  return {
    kind: 'changed',
    changes: [change],
    invoices,
    clientChange: withCredits(client, [change]),
    writes: () => writes,
    response: () => change.next,
  };
}

/** The decision on a request: changes to write, or the response without any. */
export type Decided<R> =
  | { readonly kind: 'unchanged'; readonly response: R }
  | {
      readonly kind: 'changed';
      readonly changes: readonly Change[];
      readonly invoices: readonly Invoice[];
      readonly clientChange: ClientSubscriptionsChange | undefined;
      /** The other writes of the transaction. This and the response are asked for when new documents have their numbers. */
      readonly writes: () => readonly Write[];
      readonly response: () => R;
    };

/**
 * Executes a request: decides and writes, and repeats this after a concurrent write.
 *
 * @throws ApiError `conflict` after too many concurrent writes, and the errors of `decideNow`.
 */
export function execute<R extends object>(decideNow: (isRepeat: boolean) => Promise<Decided<R>>): Promise<R> {
  let attempts = 0;
  return retryOnConflict(async () => {
    attempts += 1;
    const decided = await decideNow(attempts > 1);
    if (decided.kind === 'unchanged') return decided.response;
    const { changes, invoices, clientChange, writes, response } = decided;
    const more = () => ({ writes: writes(), events: [] });
    return (await writeWithFollowUps(changes, invoices, clientChange, more)) ? response() : undefined;
  });
}

/**
 * Writes changes in one transaction, and schedules the waits for their next steps. Steps that become due by a change (arrears paid late leave
 * the next term due) are not taken: a retry of the request would pay their invoices too.
 *
 * @returns false after a concurrent write: nothing is written then.
 */
export async function writeWithFollowUps(
  ...written: Parameters<typeof subscriptionStore.write>
): Promise<boolean> {
  if (!(await subscriptionStore.write(...written))) return false;
  const [changes] = written;
  await Promise.all(changes.map(({ next }) => scheduleFollowUp(next, clock.nowMs())));
  return true;
}

/** The error of a refused command. Its details contain the state of the subscription, and what helps. */
export function invalidTransition({ status, cancelAtPeriodEnd }: Subscription, help?: string): ApiError {
  return new ApiError('invalid_transition', {
    details: defined({ status, cancelAtPeriodEnd: cancelAtPeriodEnd || undefined, help }),
  });
}
