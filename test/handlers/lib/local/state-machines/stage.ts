import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Definition, Retrier, State } from '../../../../../lib/deployment/state-machines/definition.ts';
import type { Execution } from '../../../../../lib/local/state-machines/executions.ts';
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
  const database = new DatabaseSync(':memory:');
  const machines = new StateMachines({
    database,
    nowMs: () => nowMs,
    invoke: async (functionName, payload) => {
      const call = { atMs: nowMs, functionName, payload };
      calls.push(call);
      return options.invoke?.(payload, call) ?? null;
    },
    random: options.random ?? (() => 0.5),
    groupOf: options.groupOf ?? (() => undefined),
  });

  function start(input: unknown = {}): Execution {
    const name = randomUUID();
    const arn = `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`;
    const started = machines.start({ arn, machineArn, name, inputText: JSON.stringify(input) });
    if (started === undefined) throw new Error('The machine is not defined');
    return started;
  }

  /** An execution with its input and its ending. */
  function describe(arn: string) {
    const execution = machines.find(arn);
    if (execution === undefined) throw new Error('There is no such execution');
    return { ...execution, ...execution.ending, input: JSON.parse(execution.inputText) };
  }

  return {
    machines,
    calls,
    nowMs: () => nowMs,
    database,
    define: (definition: Definition) => machines.define(machineArn, definition),
    start,
    describe,
    /** Starts an execution, runs it without moving the clock, and describes it. */
    async run(definition: Definition, input: unknown = {}) {
      machines.define(machineArn, definition);
      const { arn } = start(input);
      await machines.runs.idle();
      return describe(arn);
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
export function machine(states: Record<string, State>): Definition {
  return { QueryLanguage: 'JSONata', StartAt: Object.keys(states)[0] ?? '', States: states };
}

/** Retries after 1, 2 and 4 seconds. */
export const retrier = (attempts: number): Retrier => ({
  ErrorEquals: ['States.ALL'],
  IntervalSeconds: 1,
  BackoffRate: 2,
  MaxAttempts: attempts,
  MaxDelaySeconds: 4,
});

/** A Task that invokes `fn` with the input. */
export function task(more: Partial<Extract<State, { Type: 'Task' }>> = {}): State {
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
