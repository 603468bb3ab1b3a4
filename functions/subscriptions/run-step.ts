import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../shared/contract/defined.ts';
import { task } from '../shared/lambda/scheduled.ts';
import { secondMs } from '../shared/runtime/clock.ts';
import { commandDeps } from './commands/execute-command.ts';
import { runDueSteps } from './commands/run-due-steps.ts';
import { readTogether } from './commands/subscription-queries.ts';
import type { Change } from './machine/decide.ts';
import type { Step, Subscription } from './record/subscription.ts';
import { startWait, timerInput } from './timers/schedule.ts';
import type { StepsTaken, TimerInput } from './timers/timer-input.ts';
import { timers } from './timers.ts';

/** A start that fails fails the task, which is tried again. */
const stepDeps = () => ({ ...commandDeps, scheduleFollowUp: startWait, sleep });
type StepDeps = ReturnType<typeof stepDeps>;

/** The step is not due by the clock of this function, or is refused. The state machine tries again. */
class StepNotTaken extends Error {
  constructor() {
    super('The step of the timer was not taken');
    this.name = 'StepNotTaken';
  }
}

/**
 * The task of the state machine: takes the steps that are due, and starts the execution that waits for the next one. Their
 * mails are in the outbox, which a consumer of the stream delivers.
 *
 * It may run late, twice, concurrently, or for a timer that was replaced: it takes what is due, every write is conditioned on
 * the subscription as read, and an execution starts once under its name. A run after one that died in between does the rest.
 *
 * @returns undefined when there is no such subscription.
 * @throws StepNotTaken more than a second before the step is due. Errors of the table and of Step Functions.
 */
export async function runStep(
  input: TimerInput,
  deps: StepDeps = stepDeps(),
): Promise<StepsTaken | undefined> {
  const { subscriptionId, version, stage } = input;
  await restOfWait(input, deps);
  const read = await readTogether(
    input,
    invoiceStages.has(stage) ? deps.invoices.latest(subscriptionId) : [],
  );
  if (read === undefined) return undefined;
  const { subscription, changes } = await runDueSteps(read, deps);
  const done = stepsTaken(subscription, changes);
  if (changes.length > 0 || subscription.timer === undefined) return done;
  if (subscription.timerVersion !== version) {
    await deps.scheduleFollowUp(subscription, deps.clock.nowMs());
    return done;
  }
  throw new StepNotTaken();
}

function stepsTaken(subscription: Subscription, changes: readonly Pick<Change, 'event'>[]): StepsTaken {
  const next = timerInput(subscription);
  return {
    taken: changes.map(({ event }) => event),
    status: subscription.status,
    ...defined({ next: next && { stage: next.stage, dueAt: next.dueAt } }),
  };
}

/** The steps that close open invoices, or move their dates. */
const invoiceStages: ReadonlySet<Step> = new Set(['trial_end', 'payment_lapse', 'dunning_end', 'resume']);

/** Step Functions waits in whole seconds, so that a wait ends up to one second early. */
const maxEarlyMs = secondMs;

async function restOfWait({ dueAt }: TimerInput, { clock, sleep }: StepDeps): Promise<void> {
  const earlyMs = Date.parse(dueAt) - clock.nowMs();
  if (earlyMs > 0 && earlyMs <= maxEarlyMs) await sleep(earlyMs);
}

export const handler = task(timers['run-step'], runStep);
