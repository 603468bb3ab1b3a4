import { getApplication } from '../shared/applications.ts';
import { nowMs } from '../shared/clock.ts';
import { ApiError } from '../shared/errors.ts';
import { recordId } from '../shared/record-id.ts';
import { untilWon } from '../shared/until-won.ts';
import { advance, followChange } from './advance.ts';
import { follow } from './arming.ts';
import type { Change, Circumstances } from './change.ts';
import type { Client } from './client.ts';
import { decideOn } from './deciding.ts';
import type { Event } from './lifecycle.ts';
import { pay } from './pay.ts';
import { planStore } from './plan-store.ts';
import { readingStore } from './reading-store.ts';
import type { Subscription } from './subscription.ts';
import { subscriptionStore } from './subscription-store.ts';

export const commandDeps = () => ({
  ...{ subscriptions: subscriptionStore, reading: readingStore, plans: planStore },
  ...{ getApplication, follow, nowMs, recordId },
});
export type CommandDeps = ReturnType<typeof commandDeps>;

/** What is asked of a subscription, decided anew for each state that it is found in. */
export type Asked = (found: { client: Client; subscription: Subscription }) => Asking | Promise<Asking>;

/** An event and what belongs to it; 'holds' when it is so already. */
export type Asking = 'holds' | ({ event: Event } & Pick<Circumstances, 'paid' | 'resumesAtMs'>);

/**
 * Does what an application asks of a subscription: takes the steps that are due, decides, and writes, again when somebody else was
 * faster; then starts what follows.
 *
 * @throws ApiError `not_found`, `invalid_transition`, `conflict`
 */
export async function carryOut(
  { applicationId, id, admitted }: { applicationId: string; id: string; admitted: Promise<void> },
  asked: Asked,
  deps: CommandDeps,
): Promise<Subscription> {
  const { subscriptions, reading } = deps;
  const seen = await reading.owner(applicationId, id);
  await admitted;
  if (seen === undefined) throw new ApiError('not_found');
  return untilWon(async () => {
    const found = await subscriptions.load(applicationId, seen.externalId, [id]);
    const [subscription] = found.subscriptions;
    if (subscription === undefined || found.client === undefined) throw new ApiError('not_found');
    const now = await advance({ client: found.client, subscription }, deps);
    const asking = await asked(now);
    const outcome = asking === 'holds' ? asking : await outcomeOf(now, asking, deps);
    if (outcome === 'lost') return undefined;
    if (outcome === 'holds') return now.subscription;
    if (outcome === undefined) throw refused(now.subscription);
    // What is due after it (a debt that is paid late leaves the next term due) is not of this command: tried again, it would be paid too.
    await followChange(outcome, deps);
    return outcome.next;
  });
}

async function outcomeOf(
  found: { client: Client; subscription: Subscription },
  asking: Exclude<Asking, 'holds'>,
  deps: CommandDeps,
): Promise<Change | 'holds' | 'lost' | undefined> {
  if (asking.event === 'payment') return pay(found, { ...asking, by: 'application' }, deps);
  const outcome = decideOn(found, asking, 'application', deps);
  if (outcome === undefined || outcome === 'holds') return outcome;
  return (await deps.subscriptions.write([outcome])) ? outcome : 'lost';
}

/** @returns the refusal, which says in which state it is. */
export function refused({ status, cancelAtPeriodEnd }: Subscription): ApiError {
  return new ApiError('invalid_transition', {
    details: { status, ...(cancelAtPeriodEnd && { cancelAtPeriodEnd }) },
  });
}
