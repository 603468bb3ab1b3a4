import { afterEach, beforeEach, vi } from 'vitest';
import { dayMs } from '../../functions/shared/runtime/duration.ts';
import type { Status, Subscription } from '../../functions/subscriptions/lifecycle/subscription.ts';
import { handler as takeStep } from '../../functions/subscriptions/run-step.ts';
import { timerInput } from '../../functions/subscriptions/scheduling/schedule.ts';
import type { TimerInput } from '../../functions/subscriptions/scheduling/timer-input.ts';
import { kept } from './subscription-state.ts';
import { act, good, newClient, subscribe } from './subscriptions.ts';
import type { Tenant } from './tenants.ts';

/** Noon of a day in the middle of nowhere: its month has 31 days, the next one 30. */
export const noonMs = Date.parse('2027-03-10T12:00:00.000Z');

/** The clock of each test of the file stands at `startMs` until it is moved. */
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

/** What an execution in charge of the subscription's timer would invoke the task with. */
export function inputFor(subscription: Subscription, more: Partial<TimerInput> = {}): TimerInput {
  const input = timerInput(subscription);
  if (input === undefined) throw new Error('Nothing is waited for');
  return { ...input, ...more };
}

/** Runs the task as an execution would that is in charge of the subscription's timer. */
export const step = (subscription: Subscription, more: Partial<TimerInput> & { retry?: number } = {}) =>
  takeStep(inputFor(subscription, more));

/** Has the task do what is in the outbox. */
export function emptyOutboxOf({
  applicationId,
  externalId,
  subscriptionId,
}: Subscription): Promise<TimerInput> {
  return takeStep({ applicationId, externalId, subscriptionId, version: 0, stage: 'outbox' });
}

export interface Brought {
  id: string;
  externalId: string;
}

/** A subscription of a new client in a status, brought there through the endpoints and its own steps; the clock moves on. */
export async function brought(seller: Tenant, status: Status): Promise<Brought> {
  const externalId = await newClient(seller);
  const isTrial = status === 'trialing';
  const answer = await subscribe(seller, { body: { externalId }, trialPeriodDays: isTrial ? 14 : 0 });
  const { _id: id } = good(answer).subscription;
  const doing = async (what: Parameters<typeof act>[1]) => good(await act(seller, what, id));
  const stepAfter = async (days: number) => {
    daysLater(days);
    await step((await kept(seller, externalId)).subscription);
  };
  if (status === 'active' || status === 'paused' || status === 'past_due') await doing('activate');
  if (status === 'paused') await doing('pause');
  if (status === 'cancelled') await doing('cancel');
  if (status === 'past_due') await stepAfter(31.1);
  if (status === 'expired') await stepAfter(21);
  const { subscription } = await kept(seller, externalId);
  if (subscription.status !== status) throw new Error(`It is ${subscription.status}, not ${status}`);
  return { id, externalId };
}
