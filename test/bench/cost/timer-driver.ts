import { sfn } from '../../../functions/shared/lambda/executions.ts';
import { subscriptionTasks, subscriptionTimer } from '../../../lib/deployment/state-machines/subscription.ts';
import { enter, type Position, step } from '../../../lib/local/state-machines/step.ts';

interface Run {
  input: unknown;
  position: Position;
}

/** Executions of the real definition, with their transitions counted. */
export interface TimerDriver {
  /** The units that AWS charges: each state entered, the end, and each retry. */
  readonly transitions: () => number;
  readonly executions: () => number;
  /** When the next execution continues, epoch milliseconds. */
  nextDueMs(): number | undefined;
  /** Runs all that is due by the clock. */
  runDue(): Promise<void>;
  stop(): void;
}

/** Answers the requests of the functions in place of Step Functions. */
export function driveTimers(invoke: (id: string, input: unknown) => Promise<unknown>): TimerDriver {
  const definition = subscriptionTimer(subscriptionTasks);
  const running = new Map<string, Run>();
  const ended = new Set<string>();
  const counts = { transitions: 0, executions: 0 };
  const nowMs = () => Date.now();

  function start(name: string, text: string): 'started' | 'taken' {
    const execution = running.get(name);
    if (execution !== undefined || ended.has(name)) {
      return execution !== undefined && JSON.stringify(execution.input) === text ? 'started' : 'taken';
    }
    const input = JSON.parse(text) as unknown;
    counts.executions += 1;
    running.set(name, { input, position: enter(definition.StartAt, input, nowMs()) });
    return 'started';
  }

  async function runOn(name: string, run: Run): Promise<void> {
    while (run.position.dueMs <= nowMs()) {
      const outcome = await step(definition, run.position, {
        nowMs,
        random: () => 1,
        invoke,
      });
      // A wait whose time is set has not left its state.
      if (outcome.status !== 'RUNNING' || !outcome.position.waiting) counts.transitions += 1;
      if (outcome.status !== 'RUNNING') {
        running.delete(name);
        ended.add(name);
        return;
      }
      run.position = outcome.position;
    }
  }

  const respond = (input: object): object => {
    const { name, executionArn = '', input: text = '' } = input as Record<string, string>;
    if (name !== undefined) {
      if (start(name, text) === 'started') return { executionArn: name };
      throw Object.assign(new Error('The execution exists already'), { name: 'ExecutionAlreadyExists' });
    }
    return { status: running.has(executionArn.split(':').at(-1) ?? '') ? 'RUNNING' : 'SUCCEEDED' };
  };
  sfn.middlewareStack.add(
    () => async (args) =>
      ({ output: { ...respond(args.input), $metadata: {} }, response: undefined }) as never,
    { step: 'initialize', name: 'driver', priority: 'low' },
  );

  return {
    transitions: () => counts.transitions,
    executions: () => counts.executions,
    nextDueMs: () => [...running.values()].map(({ position }) => position.dueMs).sort((a, b) => a - b)[0],
    async runDue() {
      for (const [name, run] of running) await runOn(name, run);
    },
    stop: () => sfn.middlewareStack.remove('driver'),
  };
}
