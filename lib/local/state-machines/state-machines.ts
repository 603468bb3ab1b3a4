import type { DatabaseSync } from 'node:sqlite';
import { dayMs } from '../../../functions/shared/runtime/clock.ts';
import type { Definition } from '../../deployment/state-machines/definition.ts';
import type { ScheduledWork } from '../clock.ts';
import { type Execution, openExecutions } from './executions.ts';
import { Runs } from './runs.ts';
import { type ExecutionEnvironment, enter, step } from './step.ts';

export interface StateMachinesOptions {
  /**
   * Stores executions, in a table that this class creates. In WAL mode, `synchronous = NORMAL` survives a killed process and
   * costs a tenth of FULL.
   */
  database: DatabaseSync;
  nowMs: () => number;
  invoke: ExecutionEnvironment['invoke'];
  random?: () => number;
  /** The server outside that an execution depends on, by its input: nobody waits for one that hangs. */
  groupOf?: (input: unknown) => string | undefined;
}

/** For as long, the name of an execution that has ended is reserved. */
const retentionMs = 90 * dayMs;

/**
 * Step Functions (Standard workflows) on one machine.
 *
 * It has no timers of its own: the owner of the clock reads `nextDueMs()` and calls `runDue()` at that time. Use one
 * instance per database. Each step of an execution is on disk before the next one runs: after a kill, a new instance
 * on the same database continues, and a task that was in progress runs again.
 */
export class StateMachines implements ScheduledWork {
  readonly #executions: ReturnType<typeof openExecutions>;
  readonly #environment: ExecutionEnvironment;
  readonly #groupOf: (input: unknown) => string | undefined;
  /** Those in progress; waiting executions are not. */
  readonly runs = new Runs();
  readonly #definitions = new Map<string, Definition>();
  #closed = false;

  constructor(options: StateMachinesOptions) {
    const { database, nowMs, invoke, random, groupOf } = options;
    this.#executions = openExecutions(database);
    this.#environment = { nowMs, invoke, random: random ?? Math.random };
    this.#groupOf = groupOf ?? (() => undefined);
  }

  define(arn: string, definition: Definition): void {
    this.#definitions.set(arn, definition);
  }

  /** The earliest due time in epoch milliseconds, which may be past. Executions in progress do not count. */
  nextDueMs(): number | undefined {
    return this.#executions.nextDueMs(this.runs);
  }

  /**
   * Runs what is due by now in the order of due times, each execution until it waits again or ends. Executions due at the
   * same time run concurrently, up to a limit. Awaits running ones first, but none that depend on a server outside: see
   * {@link Runs}. Never call it from within `invoke`.
   */
  async runDue(): Promise<void> {
    while (!this.#closed) {
      await this.runs.ownIdle();
      if (this.#closed) return;
      const due = this.#executions.firstDue(this.#environment.nowMs(), this.runs);
      if (due.length === 0) return;
      for (const execution of due) this.#run(execution);
    }
  }

  /**
   * Takes no further step. Call it before the database is closed. A task in progress is not recorded, and runs again with
   * the next instance.
   */
  close(): void {
    this.#closed = true;
  }

  /** Starts an execution in the background. @returns undefined when there is no such machine. */
  start(started: Pick<Execution, 'arn' | 'machineArn' | 'name' | 'inputText'>): Execution | undefined {
    const definition = this.#definitions.get(started.machineArn);
    if (definition === undefined) return undefined;
    const startMs = this.#environment.nowMs();
    const position = enter(definition.StartAt, JSON.parse(started.inputText), startMs);
    const execution = { ...started, startMs, position, ending: { status: 'RUNNING' } } satisfies Execution;
    this.#executions.save(execution);
    this.#run(execution);
    return execution;
  }

  /** An execution that is running, or has ended within the last 90 days. */
  find(arn: string): Execution | undefined {
    const execution = this.#executions.find(arn);
    if (execution === undefined || execution.ending.status === 'RUNNING') return execution;
    return execution.ending.stopMs < this.#environment.nowMs() - retentionMs ? undefined : execution;
  }

  #run({ arn, position: { input } }: Execution): void {
    this.runs.start(arn, input, this.#groupOf(input), () =>
      this.#drive(arn).catch((error: unknown) => this.#fail(arn, error)),
    );
  }

  /** Steps until the execution waits or ends, and stores each step. */
  async #drive(arn: string): Promise<void> {
    const execution = this.#closed ? undefined : this.find(arn);
    if (execution?.ending.status !== 'RUNNING') return;
    const definition = this.#definitions.get(execution.machineArn);
    if (definition === undefined) throw new Error('There is no such machine.');
    const { nowMs } = this.#environment;
    while (execution.ending.status === 'RUNNING' && execution.position.dueMs <= nowMs()) {
      const outcome = await step(definition, execution.position, this.#environment);
      if (this.#closed) return;
      if (outcome.status === 'RUNNING') execution.position = outcome.position;
      else execution.ending = { ...outcome, stopMs: nowMs() };
      this.#executions.save(execution);
    }
  }

  /** An unexpected error, such as a defect here, ends the execution: a retry would fail again. */
  #fail(arn: string, error: unknown): void {
    const execution = this.#closed ? undefined : this.find(arn);
    if (execution === undefined) return;
    const cause = error instanceof Error ? error.message : String(error);
    const stopMs = this.#environment.nowMs();
    this.#executions.save({
      ...execution,
      ending: { status: 'FAILED', stopMs, error: 'States.Runtime', cause },
    });
  }
}
