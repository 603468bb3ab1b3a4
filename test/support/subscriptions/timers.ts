import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { defined } from '../../../functions/shared/contract/defined.ts';
import type { Key } from '../../../functions/shared/contract/keys.ts';
import type { TimerInput } from '../../../functions/subscriptions/timers/timer-input.ts';
import { registeredTimers } from '../../../functions/timers.ts';
import { subscriptionTasks, subscriptionTimer } from '../../../lib/deployment/state-machines/subscription.ts';
import { invokeTimer } from '../../../lib/local/functions.ts';
import { listenEndpoint } from '../../../lib/local/listen.ts';
import { stateMachinesEndpoint } from '../../../lib/local/state-machines/endpoint.ts';
import { StateMachines } from '../../../lib/local/state-machines/state-machines.ts';
import { createTable } from '../../../lib/local/table.ts';
import { asFunction } from '../granted.ts';
import { newOutboxEntries } from '../notices/new-entries.ts';
import { abortExecution, executionsOf, machineArnAt } from '../state-machines.ts';
import { streamEvent } from '../table/stream.ts';

/** One invocation of the task that takes steps. */
interface TaskRun {
  atMs: number;
  input: TimerInput;
  /** The error that the task threw. */
  error?: Error;
}

/** An execution as it stands. */
interface TimerExecution {
  /** `<subscriptionId>-v<timerVersion>-<step>`. */
  name: string;
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  /** While it runs, the state it is in: `Waiting for the end of the trial`. */
  state?: string;
  /** While it runs, when it continues, epoch milliseconds. */
  dueMs?: number;
  /** The error of a failed execution. */
  error?: string;
  /** The output of one that has succeeded, as JSON. */
  output?: string;
}

export interface TimersOptions {
  /** The first time of the clock, epoch milliseconds; now by default. */
  startMs?: number;
  /** TIMER_HORIZON_HOURS; a hundred years by default, so that every timer has an execution immediately. */
  horizonHours?: number;
  /** Timers that run by their `everyMinutes`, such as `subscriptions.sweep-timers`; none by default. */
  schedules?: readonly string[];
  /** Replaces the task that takes steps. The stream then hands over nothing. */
  task?: (input: TimerInput) => Promise<unknown>;
}

export interface TestTime {
  /** Waits for running tasks and runs those that are due now: after a request, before its effects are checked. */
  settle(): Promise<void>;
  /** Moves the clock forward; every step due on the way runs at its own time, in order. */
  advanceTo(targetMs: number): Promise<void>;
  advanceBy(ms: number): Promise<void>;
  /** Runs a timer's handler now, such as `subscriptions.sweep-timers`, and the executions that it starts. */
  run(id: string): Promise<void>;
  /** Every invocation of the task that takes steps, in the order they ended. */
  readonly steps: readonly TaskRun[];
  /** Every outbox entry that the stream has handed over, in order. */
  readonly handedOver: readonly { atMs: number; key: Key }[];
  /** In the order they were started. */
  executions(): TimerExecution[];
  /** Aborts an execution, as the AWS console can. Its timer is lost. */
  abort(name: string): void;
  /** Restores clock, table and environment. No execution runs afterwards. */
  stop(): Promise<void>;
}

/**
 * Time for tests of subscriptions: a clock that stands still until the test moves it (only `Date` is faked), a table
 * of its own, and the real state machine over the real handlers in this process. New entries of the outbox are handed over
 * as the stream of the table does. Only one can run at a time. Records
 * that a test creates afterwards are in that table.
 */
export async function startTimers(options: TimersOptions = {}): Promise<TestTime> {
  const { startMs = Date.now(), horizonHours = 876_000, task } = options;
  const steps: TaskRun[] = [];
  const handedOver: { atMs: number; key: Key }[] = [];
  const known = new Set<string>();
  const database = new DatabaseSync(':memory:');
  const machines = new StateMachines({
    database,
    nowMs: () => Date.now(),
    invoke: async (id, payload) => {
      const input = payload as TimerInput;
      const atMs = Date.now();
      try {
        const output = await (task === undefined ? asDeployed(id, input) : task(input));
        steps.push({ atMs, input });
        return output;
      } catch (error) {
        steps.push({ atMs, input, error: error as Error });
        throw error;
      }
    },
    // The longest delay of a retry, so that tests know its time.
    random: () => 1,
  });
  const endpoint = await listenEndpoint(stateMachinesEndpoint(machines));
  const machineArn = machineArnAt(endpoint.url, randomUUID().slice(0, 8));
  machines.define(machineArn, subscriptionTimer(subscriptionTasks));
  vi.useFakeTimers({ toFake: ['Date'], now: startMs });
  const restore = setEnvironment({
    TABLE_NAME: `test-timers-${randomUUID()}`,
    TIMER_STATE_MACHINE_ARN: machineArn,
    TIMER_HORIZON_HOURS: String(horizonHours),
  });
  await createTable(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '', process.env.TABLE_NAME ?? '');

  const schedules = (options.schedules ?? []).map((id) => ({
    id,
    everyMs: periodOf(id),
    dueMs: startMs,
  }));
  async function settle(): Promise<void> {
    do await machines.runDue();
    while (task === undefined && (await handOver()));
  }

  /** Hands over what is new in the outbox. @returns false when nothing is. */
  async function handOver(): Promise<boolean> {
    const fresh = await newOutboxEntries(known);
    if (fresh.length === 0) return false;
    handedOver.push(...fresh.map((key) => ({ atMs: Date.now(), key })));
    await asDeployed(outboxConsumer, streamEvent(fresh));
    return true;
  }

  /** Runs the first of everything that is due until then; false when nothing is due. */
  async function runNext(targetMs: number): Promise<boolean> {
    const schedule = schedules.toSorted((a, b) => a.dueMs - b.dueMs)[0];
    const machineMs = machines.nextDueMs() ?? Number.POSITIVE_INFINITY;
    const dueMs = Math.min(schedule?.dueMs ?? Number.POSITIVE_INFINITY, machineMs);
    if (dueMs > targetMs) return false;
    vi.setSystemTime(Math.max(dueMs, Date.now()));
    if (schedule !== undefined && schedule.dueMs < machineMs) {
      schedule.dueMs += schedule.everyMs;
      await asDeployed(schedule.id, {});
    }
    await settle();
    return true;
  }

  async function advanceTo(targetMs: number): Promise<void> {
    if (targetMs < Date.now()) throw new Error('The clock only goes forward');
    await settle();
    while (await runNext(targetMs));
    vi.setSystemTime(targetMs);
  }

  let stopped = false;
  return {
    settle,
    advanceTo,
    advanceBy: (ms) => advanceTo(Date.now() + ms),
    async run(id) {
      await asDeployed(id, {});
      await settle();
    },
    steps,
    handedOver,
    executions: () =>
      executionsOf(database, machineArn).map(({ name, position: { state, dueMs }, ending }) => ({
        name,
        status: ending.status,
        ...defined({
          state: ending.status === 'RUNNING' ? state : undefined,
          dueMs: ending.status === 'RUNNING' ? dueMs : undefined,
          error: 'error' in ending ? ending.error : undefined,
          output: 'output' in ending ? ending.output : undefined,
        }),
      })),
    abort(name) {
      const arn = `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`;
      abortExecution(database, arn, { stopMs: Date.now(), error: 'Aborted', cause: 'by an operator' });
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      machines.close();
      await machines.runs.idle();
      await endpoint.close();
      restore();
      vi.useRealTimers();
    },
  };
}

const outboxConsumer = 'notices.deliver';

/** Runs a timer's handler with its grants only. */
async function asDeployed(id: string, payload: object): Promise<unknown> {
  const grants = registeredTimers().find((timer) => timer.id === id)?.timer.grants;
  return asFunction(id, [grants ?? {}], () => invokeTimer(id, payload));
}

function periodOf(id: string): number {
  const minutes = registeredTimers().find((timer) => timer.id === id)?.timer.everyMinutes;
  if (minutes === undefined) throw new Error(`${id} is no timer with a period`);
  return minutes * 60_000;
}

function setEnvironment(variables: Record<string, string>): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
