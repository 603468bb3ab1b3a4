import { setTimeout as sleep } from 'node:timers/promises';
import { getApplication } from '../shared/accounts/applications.ts';
import { task } from '../shared/lambda/scheduled.ts';
import { clock, isoTime } from '../shared/runtime/clock.ts';
import { secondMs } from '../shared/runtime/duration.ts';
import { newId } from '../shared/runtime/ids.ts';
import { runDueSteps } from './engine/run-due-steps.ts';
import { subscriptionStore } from './engine/subscription-store.ts';
import { invoiceStore } from './invoices/store.ts';
import { planStore } from './plans/store.ts';
import { nextInput } from './scheduling/next-input.ts';
import { horizonMs, scheduleFollowUp } from './scheduling/schedule.ts';
import type { TimerInput } from './scheduling/timer-input.ts';
import { timers } from './timers.ts';

const stepDeps = () => ({
  subscriptions: subscriptionStore,
  invoices: invoiceStore,
  plans: planStore,
  getApplication,
  scheduleFollowUp,
  clock,
  newId,
  sleep,
});
type StepDeps = ReturnType<typeof stepDeps>;

/**
 * A task of the state machine: takes the steps that are due, and returns the next input of the execution. When the steps
 * leave entries in the outbox, another task delivers them first.
 *
 * It may run early, late, twice, concurrently, or for a timer that was replaced: every write is conditioned on the
 * subscription as read.
 *
 * @param input `retry` counts the earlier attempts in the same state. The stage is `outbox` after a delivery that failed
 * for good, which is not started again.
 */
export async function runStep(
  { retry = 0, ...input }: TimerInput & { retry?: number },
  deps: StepDeps,
): Promise<TimerInput> {
  const { applicationId, externalId, subscriptionId, version, stage } = input;
  await restOfWait(input, deps);
  const [{ client, subscriptions }, invoices] = await Promise.all([
    deps.subscriptions.getWithClient(applicationId, externalId, [subscriptionId]),
    invoiceStages.has(stage) ? deps.invoices.latest(subscriptionId) : [],
  ]);
  const [previous] = subscriptions;
  if (previous === undefined || client === undefined) return { ...input, stage: 'end' };
  const options = { version, horizonMs: horizonMs() };
  const { subscription, changes } = await runDueSteps(
    { client, subscription: previous, invoices },
    deps,
    options,
  );
  const next = nextInput(input, subscription);
  const hasOutbox = changes.some(({ outbox }) => outbox.length > 0);
  // An earlier attempt may have taken the step, and failed before it returned the stage `outbox`.
  const isStepDone =
    changes.length === 0 && (previous.timer === undefined || isoTime(previous.timer.dueAtMs) !== input.dueAt);
  const mayHaveOutbox = stage !== 'outbox' && (retry > 0 || isStepDone);
  return hasOutbox || mayHaveOutbox ? { ...next, stage: 'outbox' } : next;
}

/** The steps that close open invoices, or move their dates. */
const invoiceStages: ReadonlySet<TimerInput['stage']> = new Set([
  'trial_end',
  'payment_lapse',
  'dunning_end',
  'resume',
]);

/** Step Functions waits in whole seconds, so that a wait ends up to one second early. */
const maxEarlyMs = secondMs;

async function restOfWait({ dueAt }: TimerInput, { clock, sleep }: StepDeps): Promise<void> {
  const earlyMs = dueAt === undefined ? 0 : Date.parse(dueAt) - clock.nowMs();
  if (earlyMs > 0 && earlyMs <= maxEarlyMs) await sleep(earlyMs);
}

export const handler = task(timers['run-step'], runStep, stepDeps);
