import { type Definition, type Exit, isWaitSeconds, type State } from './definition.ts';
import { StatesError } from './errors.ts';
import { asJson, evaluate, evaluateObject, type Json, type JsonObject, type Scope } from './expression.ts';
import { matches, retryDelayMs } from './retry.ts';
import { timestampMs } from './timestamp.ts';

/** The position of an execution; times in epoch milliseconds. */
export interface Position {
  state: string;
  input: Json;
  variables: JsonObject;
  enteredMs: number;
  /** When the next step is due: now, or at the end of a wait or of a retry's delay. */
  dueMs: number;
  /** Whether the timer of the current Wait state is set: the next step then leaves the state. */
  waiting: boolean;
  /** Attempts of each retrier of the Task since the state was entered. */
  retries: number[];
  /** The approximate number of events that the history of an execution on AWS would have by now. */
  events: number;
}

/** What a step reads of its execution. */
export interface ExecutionFacts {
  arn: string;
  name: string;
  machineArn: string;
  startMs: number;
  input: Json;
}

/** What a step may use. */
export interface ExecutionEnvironment {
  nowMs: () => number;
  /** Rejects with an Error whose `name` is the Lambda error type. */
  invoke: (functionName: string, payload: unknown) => Promise<unknown>;
  /** 0 to 1, for jitter. */
  random: () => number;
}

export type Outcome =
  | { kind: 'moved'; position: Position }
  | { kind: 'succeeded'; output: Json }
  | { kind: 'failed'; error: string | undefined; cause: string | undefined };

const maxDataBytes = 256 * 1024;
/** The limit at which AWS fails an execution. Here too it ends a loop that never waits. */
const maxEvents = 25_000;

interface Run extends ExecutionEnvironment {
  execution: ExecutionFacts;
  position: Position;
}

/** The initial position of an execution. */
export function firstPosition(definition: Definition, input: Json, nowMs: number): Position {
  return {
    state: definition.startAt,
    input,
    variables: {},
    enteredMs: nowMs,
    dueMs: nowMs,
    waiting: false,
    retries: [],
    events: 1,
  };
}

/**
 * Takes one step: enters a wait, leaves one, or runs any other state whole. It has no side effects but those of `invoke`:
 * the caller stores the outcome.
 */
export async function step(
  definition: Definition,
  execution: ExecutionFacts,
  position: Position,
  environment: ExecutionEnvironment,
): Promise<Outcome> {
  const run: Run = { ...environment, execution, position };
  try {
    if (position.events >= maxEvents) {
      throw new StatesError('States.Runtime', `The execution reached ${maxEvents} events.`);
    }
    const state = definition.states.get(position.state);
    if (state === undefined) throw new StatesError('States.Runtime', 'The definition has no such state.');
    return await runState(state, run);
  } catch (error) {
    if (!(error instanceof StatesError)) throw error;
    const cause = `An error occurred while executing the state '${position.state}'. ${error.reason}`;
    // An error of a function keeps its own cause, as the caller of the function would see it.
    return {
      kind: 'failed',
      error: error.error,
      cause: error.error.startsWith('States.') ? cause : error.reason,
    };
  }
}

async function runState(state: State, run: Run): Promise<Outcome> {
  switch (state.type) {
    case 'Wait':
      return run.position.waiting ? leave(run, state) : wait(run, state);
    case 'Task':
      return task(run, state);
    case 'Choice':
      return choose(run, state);
    case 'Pass':
    case 'Succeed':
      return leave(run, state);
    case 'Fail':
      return {
        kind: 'failed',
        error: await text(run, state.error, 'Error'),
        cause: await text(run, state.cause, 'Cause'),
      };
  }
}

async function wait(run: Run, state: Extract<State, { type: 'Wait' }>): Promise<Outcome> {
  const { enteredMs } = run.position;
  let dueMs: number | undefined;
  if (state.seconds !== undefined) {
    const seconds = await evaluate(state.seconds, 'Seconds', scope(run));
    if (isWaitSeconds(seconds)) dueMs = enteredMs + seconds * 1000;
  } else {
    dueMs = timestampMs(await evaluate(state.timestamp ?? null, 'Timestamp', scope(run)));
  }
  if (dueMs === undefined) {
    const field = state.seconds === undefined ? 'Timestamp' : 'Seconds';
    throw new StatesError(
      'States.QueryEvaluationError',
      `The field '${field}' returned a value it cannot have.`,
    );
  }
  // A time in the past ends the wait at once.
  return { kind: 'moved', position: { ...run.position, waiting: true, dueMs: Math.max(dueMs, enteredMs) } };
}

async function choose(run: Run, state: Extract<State, { type: 'Choice' }>): Promise<Outcome> {
  for (const [i, rule] of state.rules.entries()) {
    const field = `Choices[${i}]/Condition`;
    const isMet = await evaluate(rule.condition, field, scope(run));
    if (typeof isMet !== 'boolean') {
      throw new StatesError('States.QueryEvaluationError', `The field '${field}' must return true or false.`);
    }
    if (isMet) return leave(run, rule);
  }
  if (state.default === undefined) {
    throw new StatesError('States.NoChoiceMatched', 'No rule matched, and there is no Default.');
  }
  return leave(run, { next: state.default, output: undefined, assign: undefined });
}

async function task(run: Run, state: Extract<State, { type: 'Task' }>): Promise<Outcome> {
  try {
    const { FunctionName, Payload = {} } = await evaluateObject(state.arguments, 'Arguments', scope(run));
    if (typeof FunctionName !== 'string') {
      throw new StatesError(
        'States.QueryEvaluationError',
        "The field 'Arguments/FunctionName' must be a string.",
      );
    }
    withinLimit(Payload);
    const payload = await run.invoke(FunctionName, Payload).catch((error: unknown) => {
      throw functionError(error);
    });
    const result = { ExecutedVersion: '$LATEST', Payload: asJson(payload) ?? null, StatusCode: 200 };
    return await leave(run, state, { result });
  } catch (error) {
    if (!(error instanceof StatesError)) throw error;
    return recover(run, state, error);
  }
}

/** Tries Retry, then Catch. Each retrier counts its own attempts. */
async function recover(
  run: Run,
  state: Extract<State, { type: 'Task' }>,
  failure: StatesError,
): Promise<Outcome> {
  const { position } = run;
  const chosen = state.retry.findIndex(({ errorEquals }) => matches(errorEquals, failure.error));
  const retrier = state.retry[chosen];
  const retried = position.retries[chosen] ?? 0;
  if (retrier !== undefined && retried < retrier.maxAttempts) {
    const retries = state.retry.map((_, i) => (position.retries[i] ?? 0) + (i === chosen ? 1 : 0));
    const dueMs = run.nowMs() + retryDelayMs(retrier, retried, run.random);
    return { kind: 'moved', position: { ...position, retries, dueMs, events: position.events + 3 } };
  }
  const catcher = state.catch.find(({ errorEquals }) => matches(errorEquals, failure.error));
  if (catcher === undefined) throw failure;
  return leave(run, catcher, { errorOutput: { Error: failure.error, Cause: failure.reason } });
}

/** Leaves the state. The default output is its result or error output, or else its input. */
async function leave(
  run: Run,
  exit: Exit,
  produced: { result?: Json; errorOutput?: Json } = {},
): Promise<Outcome> {
  // Output and Assign both see the variables as of the state's entry.
  const exitScope = scope(run, produced);
  const output =
    exit.output === undefined
      ? (produced.result ?? produced.errorOutput ?? run.position.input)
      : await evaluate(exit.output, 'Output', exitScope);
  const assigned = await evaluateObject(exit.assign ?? {}, 'Assign', exitScope);
  withinLimit(output);
  if (exit.next === undefined) return { kind: 'succeeded', output };
  const nowMs = run.nowMs();
  const { variables, events } = run.position;
  return {
    kind: 'moved',
    position: {
      state: exit.next,
      input: output,
      variables: { ...variables, ...assigned },
      enteredMs: nowMs,
      dueMs: nowMs,
      waiting: false,
      retries: [],
      // Entered and exited; a task also has scheduled, started and succeeded.
      events: events + (produced.result === undefined ? 2 : 5),
    },
  };
}

function scope({ execution, position, nowMs }: Run, produced: JsonObject = {}): Scope {
  const { arn, name, startMs, input, machineArn } = execution;
  const context = {
    Execution: { Id: arn, Name: name, StartTime: isoTime(startMs), Input: input },
    State: {
      Name: position.state,
      EnteredTime: isoTime(position.enteredMs),
      RetryCount: position.retries.reduce((sum, count) => sum + count, 0),
    },
    StateMachine: { Id: machineArn, Name: machineArn.split(':').at(-1) ?? '' },
  };
  return {
    states: { input: position.input, context, ...produced },
    variables: position.variables,
    nowMs: nowMs(),
  };
}

async function text(run: Run, template: Json | undefined, field: string): Promise<string | undefined> {
  if (template === undefined) return undefined;
  const value = await evaluate(template, field, scope(run));
  if (typeof value === 'string') return value;
  throw new StatesError('States.QueryEvaluationError', `The field '${field}' must return a string.`);
}

/** A function's error as Lambda reports it: the error type as its name, the whole report as its cause. */
function functionError(error: unknown): StatesError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const report = { errorType: name, errorMessage: message, trace: stack?.split('\n') ?? [] };
  return new StatesError(name, JSON.stringify(report));
}

function withinLimit(data: Json): void {
  if (Buffer.byteLength(JSON.stringify(data)) > maxDataBytes) {
    throw new StatesError('States.DataLimitExceeded', `The data is over ${maxDataBytes} bytes.`);
  }
}

function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
