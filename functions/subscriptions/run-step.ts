import { setTimeout as sleep } from 'node:timers/promises';
import { getApplication } from '../shared/accounts/applications.ts';
import { task } from '../shared/lambda/scheduled.ts';
import { clock, isoTime } from '../shared/runtime/clock.ts';
import { secondMs } from '../shared/runtime/duration.ts';
import { newId } from '../shared/runtime/ids.ts';
import { runDueSteps } from './engine/run-due-steps.ts';
import { subscriptionStore } from './engine/subscription-store.ts';
import { planStore } from './plans/store.ts';
import { nextInput } from './scheduling/next-input.ts';
import { horizonMs, scheduleFollowUp } from './scheduling/schedule.ts';
import type { TimerInput } from './scheduling/timer-input.ts';
import { timers } from './timers.ts';

const stepDeps = () => ({
  subscriptions: subscriptionStore,
  plans: planStore,
  getApplication,
  scheduleFollowUp,
  clock,
  newId,
  sleep,
});
type StepDeps = ReturnType<typeof stepDeps>;

/**
 * A task of the state machine: takes the steps that are due, and returns what the execution does next. Entries that the
 * steps leave in the outbox come first: another task delivers them.
 *
 * It may run early, late, twice, concurrently, or for a timer that another one has replaced: every write is conditional
 * on the subscription as it is.
 *
 * @param input `retry` counts the earlier attempts in the same state. The stage `outbox` comes from a delivery that was
 * given up; it is not started again.
 */
export async function runStep(
  { retry = 0, ...input }: TimerInput & { retry?: number },
  deps: StepDeps,
): Promise<TimerInput> {
  const { applicationId, externalId, subscriptionId, version, stage } = input;
  await restOfWait(input, deps);
  const found = await deps.subscriptions.getWithClient(applicationId, externalId, [subscriptionId]);
  const [previous] = found.subscriptions;
  if (previous === undefined || found.client === undefined) return { ...input, stage: 'end' };
  const { subscription, changes } = await runDueSteps(
    { client: found.client, subscription: previous },
    deps,
    {
      version,
      horizonMs: horizonMs(),
    },
  );
  const next = nextInput(input, subscription);
  const hasOutbox = changes.some(({ outbox }) => outbox.length > 0);
  // An earlier attempt that took the step may have failed before it could hand its outbox over.
  const wasTaken =
    changes.length === 0 && (previous.timer === undefined || isoTime(previous.timer.dueAtMs) !== input.dueAt);
  const mayHaveOutbox = stage !== 'outbox' && (retry > 0 || wasTaken);
  return hasOutbox || mayHaveOutbox ? { ...next, stage: 'outbox' } : next;
}

/** Step Functions waits in whole seconds: a wait ends up to one second before its time. */
const maxEarlyMs = secondMs;

async function restOfWait({ dueAt }: TimerInput, { clock, sleep }: StepDeps): Promise<void> {
  const earlyMs = dueAt === undefined ? 0 : Date.parse(dueAt) - clock.nowMs();
  if (earlyMs > 0 && earlyMs <= maxEarlyMs) await sleep(earlyMs);
}

export const handler = task(timers['run-step'], runStep, stepDeps);
