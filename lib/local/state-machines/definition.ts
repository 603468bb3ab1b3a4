import { DefinitionError } from './errors.ts';
import { expressionIn, type Json, type JsonObject } from './expression.ts';
import { type Fields, fieldsOf } from './fields.ts';
import type { Catcher, Retrier } from './retry.ts';
import { timestampMs } from './timestamp.ts';

/** The transition out of a state. */
export interface Exit {
  /** The next state; undefined ends the execution. */
  next: string | undefined;
  output: Json | undefined;
  assign: JsonObject | undefined;
}

export type State =
  | ({ type: 'Wait'; seconds: Json | undefined; timestamp: Json | undefined } & Exit)
  | ({ type: 'Task'; arguments: JsonObject; retry: Retrier[]; catch: Catcher[] } & Exit)
  | { type: 'Choice'; rules: ({ condition: string; next: string } & Exit)[]; default: string | undefined }
  | ({ type: 'Pass' } & Exit)
  | ({ type: 'Succeed' } & Exit)
  | { type: 'Fail'; error: Json | undefined; cause: Json | undefined };

export interface Definition {
  startAt: string;
  states: ReadonlyMap<string, State>;
}

const lambdaInvoke = /^arn:aws[a-z-]*:states:::lambda:invoke$/;
const maxSeconds = 99_999_999;

/**
 * Parses a definition in the Amazon States Language, JSONata only. It refuses whatever this interpreter does not run exactly
 * as AWS does.
 *
 * @throws DefinitionError naming the state and the field
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/concepts-amazon-states-language.html
 */
export function parseDefinition(text: string): Definition {
  let json: Json;
  try {
    json = JSON.parse(text);
  } catch {
    throw new DefinitionError('The definition is not JSON');
  }
  const top = fieldsOf(json, 'The definition');
  top.only('Comment', 'Version', 'StartAt', 'States', 'QueryLanguage');
  if (top.raw('QueryLanguage') !== 'JSONata') throw top.refuse('QueryLanguage', 'must be JSONata');
  if (top.has('Version') && top.raw('Version') !== '1.0') throw top.refuse('Version', 'must be 1.0');
  const startAt = top.string('StartAt');

  const states = new Map<string, State>();
  for (const [name, value] of Object.entries(top.object('States') ?? {})) {
    const fields = fieldsOf(value, `State '${name}'`);
    if (name.length > 80) throw new DefinitionError(`State '${name}': the name is over 80 characters`);
    states.set(name, parseState(fields));
    for (const target of targets(fields)) {
      if (!Object.hasOwn(top.object('States') ?? {}, target.state)) {
        throw fields.refuse(target.field, `names no state: '${target.state}'`);
      }
    }
  }
  if (!states.has(startAt)) throw top.refuse('StartAt', `names no state: '${startAt}'`);
  return { startAt, states };
}

function parseState(state: Fields): State {
  const type = state.string('Type');
  if (state.has('QueryLanguage') && state.raw('QueryLanguage') !== 'JSONata') {
    throw state.refuse('QueryLanguage', 'must be JSONata');
  }
  switch (type) {
    case 'Wait':
      state.only(...common, ...flow, 'Seconds', 'Timestamp');
      return { type, ...waitTime(state), ...exit(state) };
    case 'Task':
      state.only(...common, ...flow, 'Resource', 'Arguments', 'Retry', 'Catch');
      return { type, ...task(state), ...exit(state) };
    case 'Choice':
      // AWS documents the Assign of a Choice state itself in two ways: only that of its rules is supported.
      state.only(...common, 'Choices', 'Default');
      return { type, rules: state.list('Choices').map(rule), default: state.optionalString('Default') };
    case 'Pass':
      state.only(...common, ...flow);
      return { type, ...exit(state) };
    case 'Succeed':
      state.only(...common, 'Output');
      return { type, next: undefined, output: state.template('Output'), assign: undefined };
    case 'Fail':
      state.only(...common, 'Error', 'Cause');
      for (const field of ['Error', 'Cause']) state.optionalString(field);
      return { type, error: state.template('Error'), cause: state.template('Cause') };
    default:
      throw state.refuse('Type', `'${type}' is not supported by the local stack`);
  }
}

const common = ['Type', 'Comment', 'QueryLanguage'];
const flow = ['Next', 'End', 'Output', 'Assign'];

function exit(state: Fields): Exit {
  const next = state.optionalString('Next');
  if (state.has('End') && state.raw('End') !== true) throw state.refuse('End', 'must be true if present');
  if ((next === undefined) !== state.has('End'))
    throw state.refuse('Next', 'or End is required, and not both');
  return { next, output: state.template('Output'), assign: state.assign() };
}

function waitTime(state: Fields): { seconds: Json | undefined; timestamp: Json | undefined } {
  if (state.has('Seconds') === state.has('Timestamp')) {
    throw state.refuse('Seconds', 'or Timestamp is required, and not both');
  }
  const seconds = state.template('Seconds');
  const timestamp = state.template('Timestamp');
  if (seconds !== undefined && expressionIn(seconds) === undefined && !isWaitSeconds(seconds)) {
    throw state.refuse('Seconds', `must be a whole number from 0 to ${maxSeconds}, or an expression`);
  }
  if (
    timestamp !== undefined &&
    expressionIn(timestamp) === undefined &&
    timestampMs(timestamp) === undefined
  ) {
    throw state.refuse('Timestamp', 'must be an RFC 3339 time, or an expression');
  }
  return { seconds, timestamp };
}

/** Whether a value can be the `Seconds` of a Wait. */
export function isWaitSeconds(value: Json): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxSeconds;
}

function task(state: Fields): { arguments: JsonObject; retry: Retrier[]; catch: Catcher[] } {
  const resource = state.string('Resource');
  if (!lambdaInvoke.test(resource))
    throw state.refuse('Resource', `'${resource}' is not supported by the local stack`);
  const args = fieldsOf(state.template('Arguments') ?? null, `${state.owner}, field 'Arguments'`);
  args.only('FunctionName', 'Payload');
  args.string('FunctionName');
  const retry = state.list('Retry', 'optional').map(retrier);
  const catchers = state.list('Catch', 'optional').map(catcher);
  for (const [field, list] of [['Retry', retry] as const, ['Catch', catchers] as const]) {
    list.forEach(({ errorEquals }, i) => {
      const all = errorEquals.includes('States.ALL');
      if (all && (errorEquals.length > 1 || i < list.length - 1)) {
        throw state.refuse(field, 'States.ALL must be alone in its ErrorEquals, and in the last entry');
      }
    });
  }
  return { arguments: args.all, retry, catch: catchers };
}

function retrier(entry: Fields): Retrier {
  entry.only(
    'ErrorEquals',
    'IntervalSeconds',
    'MaxAttempts',
    'BackoffRate',
    'MaxDelaySeconds',
    'JitterStrategy',
    'Comment',
  );
  const intervalSeconds = entry.integer('IntervalSeconds', 1, maxSeconds) ?? 1;
  const backoffRate = entry.raw('BackoffRate') ?? 2;
  if (typeof backoffRate !== 'number' || backoffRate < 1)
    throw entry.refuse('BackoffRate', 'must be 1 or more');
  const maxDelaySeconds = entry.integer('MaxDelaySeconds', 1, 31_622_400);
  if (maxDelaySeconds !== undefined && maxDelaySeconds <= intervalSeconds) {
    throw entry.refuse('MaxDelaySeconds', 'must be greater than IntervalSeconds');
  }
  const jitter = entry.raw('JitterStrategy') ?? 'NONE';
  if (jitter !== 'FULL' && jitter !== 'NONE') throw entry.refuse('JitterStrategy', 'must be FULL or NONE');
  return {
    errorEquals: entry.strings('ErrorEquals'),
    intervalSeconds,
    maxAttempts: entry.integer('MaxAttempts', 0, maxSeconds) ?? 3,
    backoffRate,
    maxDelaySeconds,
    jitter,
  };
}

function catcher(entry: Fields): Catcher {
  entry.only('ErrorEquals', 'Next', 'Output', 'Assign', 'Comment');
  return {
    errorEquals: entry.strings('ErrorEquals'),
    next: entry.string('Next'),
    output: entry.template('Output'),
    assign: entry.assign(),
  };
}

function rule(entry: Fields): { condition: string; next: string } & Exit {
  entry.only('Condition', 'Next', 'Output', 'Assign', 'Comment');
  const condition = entry.template('Condition');
  if (typeof condition !== 'string' || expressionIn(condition) === undefined) {
    throw entry.refuse('Condition', 'must be a JSONata expression');
  }
  return { condition, next: entry.string('Next'), output: entry.template('Output'), assign: entry.assign() };
}

/** Every state that a state leads to. */
function targets(state: Fields): { field: string; state: string }[] {
  const references = ['Next', 'Default'].map((field) => ({ field, state: state.raw(field) }));
  for (const field of ['Choices', 'Catch']) {
    for (const entry of state.list(field, 'optional')) references.push({ field, state: entry.raw('Next') });
  }
  return references.flatMap(({ field, state: name }) =>
    typeof name === 'string' ? [{ field, state: name }] : [],
  );
}
