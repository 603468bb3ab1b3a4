import { afterEach, beforeEach, vi } from 'vitest';
import { handler as deliverOutbox } from '../../../functions/notices/deliver.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { dayMs } from '../../../functions/shared/runtime/duration.ts';
import { queryItems } from '../../../functions/shared/table/query.ts';
import type { Status, Subscription } from '../../../functions/subscriptions/record/subscription.ts';
import { handler as runStep } from '../../../functions/subscriptions/run-step.ts';
import { timerInput } from '../../../functions/subscriptions/timers/schedule.ts';
import type { TimerInput } from '../../../functions/subscriptions/timers/timer-input.ts';
import { streamEvent } from '../table/stream.ts';
import type { Tenant } from '../tenants.ts';
import { act, good, newClient, newSeller, subscribe } from './requests.ts';
import { stateOf } from './stored-state.ts';

/** Noon of an arbitrary day; its month has 31 days, the next one 30. */
export const noonMs = Date.parse('2027-03-10T12:00:00.000Z');

/** Stops the clock of each test of the file at `startMs` until the test moves it. */
export function onTestClock(startMs = noonMs): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

export const daysLater = (days: number): void => {
  vi.setSystemTime(Date.now() + days * dayMs);
};

/** The input with which the current execution of the subscription's timer invokes the task. */
export function inputFor(subscription: Subscription, more: Partial<TimerInput> = {}): TimerInput {
  const input = timerInput(subscription);
  if (input === undefined) throw new Error('The subscription has no timer');
  return { ...input, ...more };
}

/**
 * Takes the step as the current execution of the subscription's timer does when its wait is over, and delivers the outbox
 * as the stream does then.
 */
export async function step(subscription: Subscription, more: Partial<TimerInput> = {}): Promise<void> {
  await runStep(inputFor(subscription, more));
  await deliverOutboxOf(subscription);
}

/**
 * Hands what waits in the outbox over, as the stream of the table does.
 *
 * @throws Error when the stream has to hand an entry over again.
 */
export async function deliverOutboxOf({
  subscriptionId,
}: Pick<Subscription, 'subscriptionId'>): Promise<void> {
  const { pk, sk } = keys.outbox(subscriptionId, '');
  const entries = await queryItems(pk, sk, Number.POSITIVE_INFINITY);
  const waiting = entries.filter(({ doneAtMs, droppedAtMs }) => (doneAtMs ?? droppedAtMs) === undefined);
  if (waiting.length === 0) return;
  const { batchItemFailures } = await deliverOutbox(streamEvent(waiting));
  if (batchItemFailures.length > 0) throw new Error('The stream hands an entry over again');
}

export interface Brought {
  id: string;
  externalId: string;
}

/** A subscription of a new client in a status, reached through the endpoints and its own steps; the clock moves on. */
export async function brought(seller: Tenant, status: Status): Promise<Brought> {
  const externalId = await newClient(seller);
  const isTrial = status === 'trialing';
  const response = await subscribe(seller, { body: { externalId }, trialPeriodDays: isTrial ? 14 : 0 });
  const { _id: id } = good(response).subscription;
  const command = async (name: Parameters<typeof act>[1]) => good(await act(seller, name, id));
  const stepAfter = async (days: number) => {
    daysLater(days);
    await step(await stateOf(seller, externalId));
  };
  if (status === 'active' || status === 'paused' || status === 'past_due') await command('activate');
  if (status === 'paused') await command('pause');
  if (status === 'cancelled') await command('cancel');
  if (status === 'past_due') await stepAfter(31.1);
  if (status === 'expired') await stepAfter(21);
  const subscription = await stateOf(seller, externalId);
  if (subscription.status !== status)
    throw new Error(`The subscription is ${subscription.status}, not ${status}`);
  return { id, externalId };
}

/** As {@link brought}, of a new application. */
export async function newSubscription(status: Status, ...of: Parameters<typeof newSeller>) {
  const seller = await newSeller(...of);
  return Object.assign(await brought(seller, status), { seller });
}
