import { DatabaseSync } from 'node:sqlite';
import { StateMachines } from '../../../../../lib/local/state-machines/state-machines.ts';

export const machineArn = 'arn:aws:states:eu-central-1:000000000000:stateMachine:timers';
export const startMs = Date.parse('2030-01-01T00:00:00.000Z');

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** A function's error with its own type. */
export function functionError(name: string, message = 'it failed'): Error {
  return Object.assign(new Error(message), { name });
}

interface Call {
  atMs: number;
  functionName: string;
  payload: unknown;
}

/** State machines on a database, with a clock that tests move and a record of every invocation. */
export function stage(
  options: {
    nowMs?: number;
    invoke?: (payload: unknown, call: Call) => unknown;
    random?: () => number;
    groupOf?: (input: unknown) => string | undefined;
  } = {},
) {
  let nowMs = options.nowMs ?? startMs;
  const calls: Call[] = [];
  const machines = new StateMachines({
    database: new DatabaseSync(':memory:'),
    nowMs: () => nowMs,
    invoke: async (functionName, payload) => {
      const call = { atMs: nowMs, functionName, payload };
      calls.push(call);
      return options.invoke?.(payload, call) ?? null;
    },
    random: options.random ?? (() => 0.5),
    groupOf: options.groupOf ?? (() => undefined),
  });

  return {
    machines,
    calls,
    nowMs: () => nowMs,
    define: (definition: object) =>
      machines.define({ arn: machineArn, definition: JSON.stringify(definition) }),
    start: (input: unknown = {}, name?: string) =>
      machines.startExecution({ machineArn, name, input: JSON.stringify(input) }),
    /** Starts an execution, runs it without moving the clock, and describes it. */
    async run(definition: object, input: unknown = {}) {
      machines.define({ arn: machineArn, definition: JSON.stringify(definition) });
      const { arn } = machines.startExecution({ machineArn, input: JSON.stringify(input) });
      await machines.idle();
      return machines.describeExecution(arn);
    },
    /** Moves the clock as its owner does, from one due time to the next. */
    async advanceTo(targetMs: number) {
      await machines.runDue();
      for (;;) {
        const next = machines.nextDueMs();
        if (next === undefined || next > targetMs) break;
        nowMs = Math.max(nowMs, next);
        await machines.runDue();
      }
      nowMs = targetMs;
    },
    /** Moves the clock in one jump, as after a downtime of the stack. */
    async jumpTo(targetMs: number) {
      nowMs = targetMs;
      await machines.runDue();
    },
  };
}

/** A machine with these states, which starts at the first. */
export function machine(states: Record<string, object>): object {
  return { QueryLanguage: 'JSONata', StartAt: Object.keys(states)[0], States: states };
}

/** Retries after 1, 2 and 4 seconds. */
export const retrier = (attempts: number) => ({
  ErrorEquals: ['States.ALL'],
  IntervalSeconds: 1,
  BackoffRate: 2,
  MaxAttempts: attempts,
  MaxDelaySeconds: 4,
});

/** A Task that invokes `fn` with the input. */
export function task(more: object = {}): object {
  return {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Arguments: { FunctionName: 'fn', Payload: '{% $states.input %}' },
    Output: '{% $states.result %}',
    Retry: [retrier(0)],
    End: true,
    ...more,
  };
}
