import jsonata from 'jsonata';
import * as z from 'zod/mini';
import { secondMs } from '../../../functions/shared/runtime/clock.ts';
import type { Definition, Retrier, State } from '../../deployment/state-machines/definition.ts';

export interface Position {
  state: string;
  input: unknown;
  /** When the next step is due, epoch milliseconds: now, or at the end of a wait or of a retry's delay. */
  dueMs: number;
  /** Whether the timer of the current Wait state is set: the next step then leaves the state. */
  waiting: boolean;
  retries: number;
}

export interface ExecutionEnvironment {
  nowMs: () => number;
  /** Rejects with an Error whose `name` is the Lambda error type. Must settle: there is no timeout here. */
  invoke: (functionName: string, payload: unknown) => Promise<unknown>;
  /** 0 to 1, for the jitter of retries. */
  random: () => number;
}

/** How an execution has ended; the output as JSON. */
export type Ended =
  | { status: 'SUCCEEDED'; output: string }
  | { status: 'FAILED' | 'ABORTED'; error: string; cause: string };
export type Outcome = { status: 'RUNNING'; position: Position } | Ended;

/** An error with its name in the Amazon States Language: `States.*`, or the name that a function threw. */
class StatesError extends Error {
  readonly error: string;

  constructor(error: string, cause: string) {
    super(cause);
    this.error = error;
  }
}

export function enter(state: string, input: unknown, nowMs: number): Position {
  return { state, input, dueMs: nowMs, waiting: false, retries: 0 };
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
  try {
    const state = definition.States[position.state];
    if (state === undefined) throw new StatesError('States.Runtime', 'The definition has no such state.');
    return await runState(state, position, environment);
  } catch (error) {
    if (!(error instanceof StatesError)) throw error;
    // An error of a function keeps its own cause, as the caller of the function would see it.
    const where = `An error occurred while executing the state '${position.state}'. `;
    const cause = `${error.error.startsWith('States.') ? where : ''}${error.message}`;
    return { status: 'FAILED', error: error.error, cause };
  }
}

const succeeded = (output: unknown): Outcome => ({ status: 'SUCCEEDED', output: JSON.stringify(output) });

async function runState(
  state: State,
  position: Position,
  environment: ExecutionEnvironment,
): Promise<Outcome> {
  const { input, waiting } = position;
  const moved = (next: string, output = input): Outcome => ({
    status: 'RUNNING',
    position: enter(next, output, environment.nowMs()),
  });
  switch (state.Type) {
    case 'Wait':
      if (waiting) return moved(state.Next);
      return {
        status: 'RUNNING',
        position: { ...position, waiting: true, dueMs: await endOfWait(state, input) },
      };
    case 'Choice':
      return moved(await chosen(state, input));
    case 'Succeed':
      return succeeded(input);
    case 'Task': {
      const output = await outputOf(state, position, environment).catch((error: unknown) => {
        if (!(error instanceof StatesError) || position.retries >= state.Retry[0].MaxAttempts) throw error;
      });
      if (output === undefined) return retried(state.Retry[0], position, environment);
      return 'Next' in state ? moved(state.Next, output) : succeeded(output);
    }
  }
}

const Timestamp = z.iso.datetime({ offset: true });

/**
 * Precise to the millisecond. Step Functions truncates to the second and ends a wait up to 999 ms early. Here a task could not wait
 * for the rest, because the clock does not run while a move has stopped it.
 */
async function endOfWait(state: Extract<State, { Type: 'Wait' }>, input: unknown): Promise<number> {
  const timestamp = Timestamp.safeParse(await evaluate(state.Timestamp, 'Timestamp', { input }));
  if (timestamp.success) return Date.parse(timestamp.data);
  throw new StatesError(
    'States.QueryEvaluationError',
    "The field 'Timestamp' returned a value it cannot have.",
  );
}

async function chosen(state: Extract<State, { Type: 'Choice' }>, input: unknown): Promise<string> {
  for (const { Condition, Next } of state.Choices)
    if ((await evaluate(Condition, 'Condition', { input })) === true) return Next;
  return state.Default;
}

/** Runs a task. @throws StatesError with the error of the function as Lambda reports it */
async function outputOf(
  { Arguments, Output }: Extract<State, { Type: 'Task' }>,
  { input }: Position,
  { invoke }: ExecutionEnvironment,
): Promise<unknown> {
  const payload = await evaluate(Arguments.Payload, 'Arguments/Payload', { input });
  const answer = await invoke(Arguments.FunctionName, payload).catch((error: unknown) => {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
    const report = { errorType: name, errorMessage: message, trace: stack?.split('\n') ?? [] };
    throw new StatesError(name, JSON.stringify(report));
  });
  const result = { ExecutedVersion: '$LATEST', Payload: answer ?? null, StatusCode: 200 };
  return evaluate(Output, 'Output', { input, result });
}

function retried(retrier: Retrier, position: Position, { nowMs, random }: ExecutionEnvironment): Outcome {
  const grown = retrier.IntervalSeconds * retrier.BackoffRate ** position.retries;
  const jitter = retrier.JitterStrategy === 'FULL' ? random() : 1;
  const delayMs = Math.round(Math.min(grown, retrier.MaxDelaySeconds) * secondMs * jitter);
  const retries = position.retries + 1;
  return { status: 'RUNNING', position: { ...position, retries, dueMs: nowMs() + delayMs } };
}

/** Compiled expressions by their text, for the life of the process: no more than the definitions have. */
const compiled = new Map<string, jsonata.Expression>();

/**
 * The value of an expression.
 *
 * @throws StatesError when the expression fails or yields no JSON
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/transforming-data.html
 */
async function evaluate(
  template: string,
  field: string,
  states: { input: unknown } | { input: unknown; result: unknown },
): Promise<unknown> {
  const failed = (why: string) =>
    new StatesError(
      'States.QueryEvaluationError',
      `The JSONata expression '${template}' in the field '${field}' ${why}`,
    );
  let json: string | undefined;
  try {
    const expression = compiled.get(template) ?? jsonata(template.slice(2, -2));
    compiled.set(template, expression);
    json = JSON.stringify(await expression.evaluate(undefined, { states }), onlyJson);
  } catch (error) {
    // JSONata throws plain objects with a message, not Errors.
    throw failed(`failed: ${Object(error).message ?? error}`);
  }
  if (json === undefined) throw failed('returned nothing (undefined).');
  return JSON.parse(json);
}

/** Refuses, as AWS does, the values that JSON.stringify would turn into null or drop. */
function onlyJson(_key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('a number is not finite');
  const isFunction = typeof value === 'function' || '_jsonata_function' in Object(value);
  if (isFunction || '_jsonata_lambda' in Object(value)) throw new Error('a function is no JSON');
  return value;
}
