import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type Definition, parseDefinition } from './definition.ts';
import { ServiceError } from './errors.ts';
import { type Ending, type Execution, type ListPoint, openExecutions, type Status } from './executions.ts';
import type { Json } from './expression.ts';
import { checkExecutionArn, checkExecutionName, checkMachineArn, executionArnOf } from './names.ts';
import { Slots } from './slots.ts';
import { type ExecutionEnvironment, firstPosition, type Outcome, step } from './step.ts';

export interface StateMachinesOptions {
  /**
   * Holds definitions and executions; this class makes its own tables. In WAL mode `synchronous = NORMAL`
   * survives a killed process and costs a tenth of FULL.
   */
  database: DatabaseSync;
  /** Epoch milliseconds; only goes forward. */
  nowMs: () => number;
  /** Rejects with an Error whose `name` is the Lambda error type. Must settle: nothing here times out. */
  invoke: (functionName: string, payload: unknown) => Promise<unknown>;
  /** Called soon after `nextDueMs()` may have changed, once for many changes; must not throw. */
  onChange?: () => void;
  /** 0 to 1, for the jitter of retries. */
  random?: () => number;
}

const maxInputBytes = 256 * 1024;
/** A closed execution's name can be used again after that long. */
const nameKeptMs = 90 * 24 * 3_600_000;
/** Tasks of different executions that run at one time. */
const maxConcurrent = 16;

/**
 * What stands in for Step Functions (Standard workflows) on one machine.
 *
 * It has no timers of its own: the owner of the clock asks `nextDueMs()` and calls `runDue()` then. One
 * instance a database. What an execution did last is on disk before anything follows from it, so that after a
 * kill a new instance over the same database goes on; a task that was under way is run again.
 */
export class StateMachines {
  readonly #executions: ReturnType<typeof openExecutions>;
  readonly #surroundings: ExecutionEnvironment;
  readonly #onChange: () => void;
  readonly #slots = new Slots(maxConcurrent);
  /** Executions that are being driven now, by ARN. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** Parsed definitions by revision, as long as the instance lives. */
  readonly #definitions = new Map<number, Definition>();
  #closed = false;
  #changed = false;

  constructor(options: StateMachinesOptions) {
    const { database, nowMs, invoke, onChange, random } = options;
    this.#executions = openExecutions(database);
    this.#surroundings = { nowMs, invoke, random: random ?? Math.random };
    this.#onChange = onChange ?? (() => {});
  }

  /**
   * Makes a definition known, or a new one for a known machine: new executions take it, running ones keep theirs.
   *
   * @throws DefinitionError for anything this stand-in does not run as AWS does, naming the state and the field
   * @throws ServiceError InvalidArn
   */
  define({ arn, definition }: { arn: string; definition: string }): void {
    checkMachineArn(arn);
    parseDefinition(definition);
    this.#executions.revise(arn, definition);
  }

  /** The earliest wake-up in epoch milliseconds, past ones included. What runs at this moment does not count. */
  nextDueMs(): number | undefined {
    return this.#executions.nextDueMs(this.#underWay);
  }

  /**
   * Runs what is due by now in the order of due times, each execution until it waits again or ends; of those
   * due at one moment a few at a time. Waits for what runs already first. Never call it from within `invoke`.
   */
  async runDue(): Promise<void> {
    while (!this.#closed) {
      await this.idle();
      if (this.#closed) return;
      const due = this.#executions.firstDue(this.#surroundings.nowMs());
      if (due.length === 0) return;
      await Promise.all(due.map((arn) => this.#run(arn)));
    }
  }

  /** Resolves when nothing runs; waits do not count as running. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
  }

  /** Takes no further step; call it before the database is closed. A task under way is not recorded and runs again with the next instance. */
  close(): void {
    this.#closed = true;
  }

  /**
   * Starts an execution in the background. The same name and input again, while it runs, is the same execution.
   *
   * @throws ServiceError ExecutionAlreadyExists, InvalidArn, InvalidExecutionInput, InvalidName,
   * StateMachineDoesNotExist, ValidationException
   */
  startExecution(start: {
    machineArn: string;
    name?: string | undefined;
    input?: string | undefined;
  }): Execution {
    const { machineArn, name = randomUUID(), input: inputText = '{}' } = start;
    const arn = executionArnOf(machineArn, name);
    checkExecutionName(name);
    const input = parseInput(inputText);
    const latest = this.#executions.latest(machineArn);
    if (latest === undefined) throw machineMissing(machineArn);

    const startMs = this.#surroundings.nowMs();
    const { revision } = latest;
    const position = firstPosition(this.#definition(revision), input, startMs);
    this.#executions.forget(arn, startMs - nameKeptMs);
    const facts = { arn, machineArn, name, startMs, input, inputText, revision, position };
    if (this.#executions.insert(facts)) {
      void this.#run(arn);
      return this.describeExecution(arn);
    }
    const running = this.describeExecution(arn);
    if (running.status === 'RUNNING' && running.inputText === inputText) return running;
    throw new ServiceError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
  }

  /** @throws ServiceError ExecutionDoesNotExist, InvalidArn */
  describeExecution(arn: string): Execution {
    checkExecutionArn(arn);
    const execution = this.#executions.find(arn);
    if (execution !== undefined) return execution;
    throw new ServiceError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
  }

  /**
   * Ends an execution as ABORTED; one that ended before stays as it is. A task under way runs to its end, and
   * its result is dropped.
   *
   * @throws ServiceError ExecutionDoesNotExist, InvalidArn
   */
  stopExecution({
    arn,
    ...why
  }: {
    arn: string;
    error?: string | undefined;
    cause?: string | undefined;
  }): Execution {
    this.describeExecution(arn);
    const stopMs = this.#surroundings.nowMs();
    if (this.#executions.end(arn, { status: 'ABORTED', stopMs, ...why })) this.#tellChange();
    return this.describeExecution(arn);
  }

  /** Newest first, at most `limit`, after a point. @throws ServiceError InvalidArn, StateMachineDoesNotExist */
  listExecutions(query: {
    machineArn: string;
    status?: Status | undefined;
    after?: ListPoint | undefined;
    limit: number;
  }): Execution[] {
    const { machineArn, status, after, limit } = query;
    checkMachineArn(machineArn);
    if (this.#executions.latest(machineArn) === undefined) throw machineMissing(machineArn);
    return this.#executions.list(machineArn, status, after, limit);
  }

  /** Drives an execution, once at a time. */
  #run(arn: string): Promise<void> {
    const known = this.#underWay.get(arn);
    if (known !== undefined) return known;
    const run = this.#slots
      .take(() => this.#drive(arn))
      .catch((error: unknown) => this.#fail(arn, error))
      .finally(() => {
        this.#underWay.delete(arn);
        this.#tellChange();
      });
    this.#underWay.set(arn, run);
    return run;
  }

  /**
   * Steps until the execution waits or ends. Stored is what must not be lost or done twice: a task's result, a
   * timer, the end. The states between are taken again after a kill; they touch nothing outside.
   */
  async #drive(arn: string): Promise<void> {
    if (this.#closed) return;
    const execution = this.#executions.find(arn);
    if (execution?.status !== 'RUNNING') return;
    const { nowMs } = this.#surroundings;
    const definition = this.#definition(execution.revision);
    let { position } = execution;
    while (position.dueMs <= nowMs()) {
      const outcome = await step(definition, execution, position, this.#surroundings);
      if (this.#closed) return;
      if (outcome.kind !== 'moved') {
        this.#executions.end(arn, ending(outcome, nowMs()));
        return;
      }
      const ranTask = definition.states.get(position.state)?.type === 'Task';
      position = outcome.position;
      if ((ranTask || position.dueMs > nowMs()) && !this.#executions.move(arn, position)) return;
    }
  }

  /** A thousand executions that end together are one change: each question about the next due time is a query. */
  #tellChange(): void {
    if (this.#changed) return;
    this.#changed = true;
    setImmediate(() => {
      this.#changed = false;
      if (!this.#closed) this.#onChange();
    });
  }

  /** What no definition foresees, a defect of ours for one, ends the execution: tried again it would fail again. */
  #fail(arn: string, error: unknown): void {
    if (this.#closed) return;
    const cause = error instanceof Error ? error.message : String(error);
    const stopMs = this.#surroundings.nowMs();
    this.#executions.end(arn, { status: 'FAILED', stopMs, error: 'States.Runtime', cause });
  }

  #definition(revision: number): Definition {
    const known = this.#definitions.get(revision);
    if (known !== undefined) return known;
    const definition = parseDefinition(this.#executions.definition(revision) ?? '');
    this.#definitions.set(revision, definition);
    return definition;
  }
}

function ending(outcome: Exclude<Outcome, { kind: 'moved' }>, stopMs: number): Ending {
  return outcome.kind === 'succeeded'
    ? { status: 'SUCCEEDED', stopMs, output: JSON.stringify(outcome.output) }
    : { status: 'FAILED', stopMs, error: outcome.error, cause: outcome.cause };
}

function parseInput(text: string): Json {
  if (Buffer.byteLength(text) > maxInputBytes) {
    throw new ServiceError(
      'ValidationException',
      `1 validation error detected: Value at 'input' failed to satisfy constraint: Member must have length less than or equal to ${maxInputBytes}`,
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('InvalidExecutionInput', 'Invalid State Machine Execution Input: it is not JSON');
  }
}

function machineMissing(arn: string): ServiceError {
  return new ServiceError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
}
