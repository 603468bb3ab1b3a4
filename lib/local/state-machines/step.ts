import type { Definition, Retrier, State } from './definition.ts';
import { StatesError } from './errors.ts';
import { asJson, evaluate, type Json } from './expression.ts';
import { timestampMs } from './timestamp.ts';

/** The position of an execution; times in epoch milliseconds. */
export interface Position {
  state: string;
  input: Json;
  enteredMs: number;
  /** When the next step is due: now, or at the end of a wait or of a retry's delay. */
  dueMs: number;
  /** Whether the timer of the current Wait state is set: the next step then leaves the state. */
  waiting: boolean;
  /** Retries of the Task since the state was entered. */
  retries: number;
  /** The approximate number of events that the history of an execution on AWS would have by now. */
  events: number;
}

/** The services of a step. */
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
  | { kind: 'failed'; error: string; cause: string };

const maxDataBytes = 256 * 1024;
/** The limit at which AWS fails an execution. Here too it ends a loop that never waits. */
const maxEvents = 25_000;

interface Run extends ExecutionEnvironment {
  position: Position;
}

/** The initial position of an execution. */
export function firstPosition(definition: Definition, input: Json, nowMs: number): Position {
  return {
    state: definition.StartAt,
    input,
    enteredMs: nowMs,
    dueMs: nowMs,
    waiting: false,
    retries: 0,
    events: 1,
  };
}

/**
 * Takes one step: enters a wait, leaves one, or runs any other state whole. It has no side effects but those of `invoke`:
 * the caller stores the outcome.
 */
export async function step(
  definition: Definition,
  position: Position,
  environment: ExecutionEnvironment,
): Promise<Outcome> {
  const run: Run = { ...environment, position };
  try {
    if (position.events >= maxEvents) {
      throw new StatesError('States.Runtime', `The execution reached ${maxEvents} events.`);
    }
    const state = definition.States[position.state];
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
  const { input, waiting } = run.position;
  switch (state.Type) {
    case 'Wait':
      return waiting ? leave(run, state.Next, input) : wait(run, state.Timestamp);
    case 'Task':
      return task(run, state);
    case 'Choice':
      return leave(run, await chosen(run, state), input);
    case 'Succeed':
      return leave(run, undefined, input);
  }
}

async function wait({ position }: Run, timestamp: string): Promise<Outcome> {
  const dueMs = timestampMs(await evaluate(timestamp, 'Timestamp', position));
  if (dueMs === undefined) {
    throw new StatesError(
      'States.QueryEvaluationError',
      "The field 'Timestamp' returned a value it cannot have.",
    );
  }
  // A time in the past ends the wait at once.
  return {
    kind: 'moved',
    position: { ...position, waiting: true, dueMs: Math.max(dueMs, position.enteredMs) },
  };
}

/** The name of the state that a choice leads to. */
async function chosen({ position }: Run, state: Extract<State, { Type: 'Choice' }>): Promise<string> {
  for (const [i, rule] of state.Choices.entries()) {
    const field = `Choices[${i}]/Condition`;
    const isMet = await evaluate(rule.Condition, field, position);
    if (typeof isMet !== 'boolean') {
      throw new StatesError('States.QueryEvaluationError', `The field '${field}' must return true or false.`);
    }
    if (isMet) return rule.Next;
  }
  return state.Default;
}

async function task(run: Run, state: Extract<State, { Type: 'Task' }>): Promise<Outcome> {
  const { position } = run;
  try {
    const payload = await evaluate(state.Arguments.Payload, 'Arguments/Payload', position);
    withinLimit(payload);
    const answer = await run.invoke(state.Arguments.FunctionName, payload).catch((error: unknown) => {
      throw functionError(error);
    });
    const result = { ExecutedVersion: '$LATEST', Payload: asJson(answer) ?? null, StatusCode: 200 };
    const output = await evaluate(state.Output, 'Output', { input: position.input, result });
    // Beside entered and exited: scheduled, started and succeeded.
    return leave(run, state.Next, output, 5);
  } catch (error) {
    if (!(error instanceof StatesError)) throw error;
    const [retrier] = state.Retry;
    if (isFatal(error) || position.retries >= retrier.MaxAttempts) throw error;
    const dueMs = run.nowMs() + retryDelayMs(retrier, position.retries, run.random);
    const events = position.events + 3;
    return { kind: 'moved', position: { ...position, retries: position.retries + 1, dueMs, events } };
  }
}

/**
 * Whether `States.ALL` does not match an error.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/concepts-error-handling.html
 */
const isFatal = ({ error }: StatesError): boolean =>
  error === 'States.Runtime' || error === 'States.DataLimitExceeded';

/** Milliseconds until the next attempt, after `retried` retries; `random` returns 0 to 1. */
function retryDelayMs(retrier: Retrier, retried: number, random: () => number): number {
  const grown = retrier.IntervalSeconds * retrier.BackoffRate ** retried;
  const seconds = Math.min(grown, retrier.MaxDelaySeconds);
  return Math.round(seconds * 1000 * (retrier.JitterStrategy === 'FULL' ? random() : 1));
}

/** Leaves the state for the next one; without one, the execution has succeeded. */
function leave({ position, nowMs }: Run, next: string | undefined, output: Json, events = 2): Outcome {
  withinLimit(output);
  if (next === undefined) return { kind: 'succeeded', output };
  const enteredMs = nowMs();
  return {
    kind: 'moved',
    position: {
      state: next,
      input: output,
      enteredMs,
      dueMs: enteredMs,
      waiting: false,
      retries: 0,
      events: position.events + events,
    },
  };
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
