import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { dayMs } from '../../../functions/shared/runtime/duration.ts';
import { ServiceError } from '../aws-json.ts';
import { type Definition, parseDefinition } from './definition.ts';
import { type Ending, type Execution, openExecutions } from './executions.ts';
import type { Json } from './expression.ts';
import { checkExecutionArn, checkExecutionName, checkMachineArn, executionArnOf } from './names.ts';
import { Runs } from './runs.ts';
import { type ExecutionEnvironment, firstPosition, type Outcome, step } from './step.ts';

export interface StateMachinesOptions {
  /**
   * Stores definitions and executions, in tables that this class creates. In WAL mode, `synchronous = NORMAL` survives a
   * killed process and costs a tenth of FULL.
   */
  database: DatabaseSync;
  /** Epoch milliseconds; never goes back. */
  nowMs: () => number;
  /** Rejects with an Error whose `name` is the Lambda error type. Must settle: there is no timeout here. */
  invoke: (functionName: string, payload: unknown) => Promise<unknown>;
  /** Called soon after `nextDueMs()` may have changed, once for several changes. Must not throw. */
  onChange?: () => void;
  /** 0 to 1, for the jitter of retries. */
  random?: () => number;
  /** The server outside that an execution depends on, by its input: nobody waits for one that hangs. */
  groupOf?: (input: Json) => string | undefined;
}

const maxInputBytes = 256 * 1024;
/** How long the name of a closed execution stays reserved. */
const nameRetentionMs = 90 * dayMs;

/**
 * Step Functions (Standard workflows) on one machine.
 *
 * It has no timers of its own: the owner of the clock reads `nextDueMs()` and calls `runDue()` at that time. Use one
 * instance per database. Each step of an execution is on disk before the next one runs: after a kill, a new instance
 * on the same database continues, and a task that was in progress runs again.
 */
export class StateMachines {
  readonly #executions: ReturnType<typeof openExecutions>;
  readonly #environment: ExecutionEnvironment;
  readonly #onChange: () => void;
  readonly #groupOf: (input: Json) => string | undefined;
  readonly #runs = new Runs();
  /** Parsed definitions by revision, for the life of the instance. */
  readonly #definitions = new Map<number, Definition>();
  #closed = false;
  #changed = false;

  constructor(options: StateMachinesOptions) {
    const { database, nowMs, invoke, onChange, random, groupOf } = options;
    this.#executions = openExecutions(database);
    this.#environment = { nowMs, invoke, random: random ?? Math.random };
    this.#onChange = onChange ?? (() => {});
    this.#groupOf = groupOf ?? (() => undefined);
  }

  /**
   * Defines a machine, or redefines it: new executions use the new definition, running ones keep theirs.
   *
   * @throws DefinitionError for anything that does not run here as on AWS, naming the state and the field
   * @throws ServiceError InvalidArn
   */
  define({ arn, definition }: { arn: string; definition: string }): void {
    checkMachineArn(arn);
    parseDefinition(definition);
    this.#executions.revise(arn, definition);
  }

  /** The earliest due time in epoch milliseconds, which may be past. Executions in progress do not count. */
  nextDueMs(): number | undefined {
    return this.#executions.nextDueMs(this.#runs);
  }

  /**
   * Runs what is due by now in the order of due times, each execution until it waits again or ends. Executions due at the
   * same time run concurrently, up to a limit. Awaits running ones first, but none that depend on a server outside: see
   * {@link idle}. Never call it from within `invoke`.
   */
  async runDue(): Promise<void> {
    while (!this.#closed) {
      await this.#runs.ownIdle();
      if (this.#closed) return;
      const due = this.#executions.firstDue(this.#environment.nowMs(), this.#runs);
      if (due.length === 0) return;
      for (const execution of due) this.#run(execution);
    }
  }

  /** Whether an execution is in progress that {@link idle} waits for; a waiting one is not. */
  isBusy(): boolean {
    return this.#runs.isBusy();
  }

  /** Resolves when no execution is in progress, but for those that depend on a server that does not answer. */
  async idle(): Promise<void> {
    await this.#runs.idle();
  }

  /** The inputs of the executions in progress that {@link idle} does not wait for. */
  notWaitedFor(): Json[] {
    return this.#runs.notWaitedFor();
  }

  /**
   * Takes no further step. Call it before the database is closed. A task in progress is not recorded, and runs again with
   * the next instance.
   */
  close(): void {
    this.#closed = true;
  }

  /**
   * Starts an execution in the background. While it is running, the same name and input return the same execution.
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
    if (latest === undefined) throw machineNotFound(machineArn);

    const startMs = this.#environment.nowMs();
    const { revision } = latest;
    const position = firstPosition(this.#definition(revision), input, startMs);
    this.#executions.deleteEnded(arn, startMs - nameRetentionMs);
    const facts = { arn, machineArn, name, startMs, input, inputText, revision, position };
    if (this.#executions.insert(facts)) {
      this.#run({ arn, input });
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
   * Ends an execution as ABORTED; one that has ended is unchanged. A task in progress runs to its end, and its result is
   * dropped.
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
    const stopMs = this.#environment.nowMs();
    if (this.#executions.end(arn, { status: 'ABORTED', stopMs, ...why })) this.#notifyChange();
    return this.describeExecution(arn);
  }

  /** Newest first, at most `limit`. @throws ServiceError InvalidArn, StateMachineDoesNotExist */
  listExecutions({ machineArn, limit }: { machineArn: string; limit: number }): Execution[] {
    checkMachineArn(machineArn);
    if (this.#executions.latest(machineArn) === undefined) throw machineNotFound(machineArn);
    return this.#executions.list(machineArn, limit);
  }

  /** Runs an execution in the background. */
  #run({ arn, input }: Pick<Execution, 'arn' | 'input'>): void {
    this.#runs.start(arn, { group: this.#groupOf(input), input }, async () => {
      await this.#drive(arn).catch((error: unknown) => this.#fail(arn, error));
      this.#notifyChange();
    });
  }

  /**
   * Steps until the execution waits or ends. It stores what must not be lost or repeated: a task's result, a timer, the end.
   * Other states have no side effects, and run again after a kill.
   */
  async #drive(arn: string): Promise<void> {
    if (this.#closed) return;
    const execution = this.#executions.find(arn);
    if (execution?.status !== 'RUNNING') return;
    const { nowMs } = this.#environment;
    const definition = this.#definition(execution.revision);
    let { position } = execution;
    while (position.dueMs <= nowMs()) {
      const outcome = await step(definition, position, this.#environment);
      if (this.#closed) return;
      if (outcome.kind !== 'moved') {
        this.#executions.end(arn, ending(outcome, nowMs()));
        return;
      }
      const ranTask = definition.States[position.state]?.Type === 'Task';
      position = outcome.position;
      if ((ranTask || position.dueMs > nowMs()) && !this.#executions.move(arn, position)) return;
    }
  }

  /**
   * Combines the changes of many executions into one notification, because each read of the next due time is
   * a query.
   */
  #notifyChange(): void {
    if (this.#changed) return;
    this.#changed = true;
    setImmediate(() => {
      this.#changed = false;
      if (!this.#closed) this.#onChange();
    });
  }

  /** An unexpected error, such as a defect here, ends the execution: a retry would fail again. */
  #fail(arn: string, error: unknown): void {
    if (this.#closed) return;
    const cause = error instanceof Error ? error.message : String(error);
    const stopMs = this.#environment.nowMs();
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

function machineNotFound(arn: string): ServiceError {
  return new ServiceError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
}
