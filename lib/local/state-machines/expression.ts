import { createHash, randomUUID } from 'node:crypto';
import jsonata from 'jsonata';
import { StatesError } from './errors.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** What an expression can read: `$states`, and each variable by name. */
export interface Scope {
  states: JsonObject;
  variables: JsonObject;
  /** Epoch milliseconds, for `$now()` and `$millis()`, which follow the local clock. */
  nowMs: number;
}

/** Compiled expressions by their text, for the life of the process: no more than the definitions have. */
const compiled = new Map<string, jsonata.Expression>();

/** The text between `{%` and `%}`; undefined for a plain string. */
export function expressionIn(value: Json): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('{%') || !value.endsWith('%}')) return undefined;
  return value.slice(2, -2).trim();
}

/** What is wrong with the expressions of a template, or undefined. Evaluates nothing. */
export function templateProblem(template: Json): string | undefined {
  if (typeof template === 'string') {
    const text = expressionIn(template);
    if (text === undefined) {
      return template.startsWith('{%') || template.endsWith('%}')
        ? 'an expression must start with {% and end with %}, without spaces around'
        : undefined;
    }
    try {
      compile(text);
    } catch (error) {
      return `no valid JSONata: ${messageOf(error)}`;
    }
    return /\$eval\b/.test(text) ? '$eval does not exist here; use $parse for JSON' : undefined;
  }
  if (template === null || typeof template !== 'object') return undefined;
  for (const child of Object.values(template)) {
    const problem = templateProblem(child);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * Replaces every expression in a template by its value, at any depth.
 *
 * @param field the field of the state, for the error message
 * @throws StatesError `States.QueryEvaluationError` when an expression fails or yields no JSON
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/transforming-data.html
 */
export async function evaluate(template: Json, field: string, scope: Scope): Promise<Json> {
  const text = expressionIn(template);
  if (text !== undefined) return evaluateExpression(text, field, scope);
  if (template === null || typeof template !== 'object') return template;
  if (Array.isArray(template)) {
    return Promise.all(template.map((item, i) => evaluate(item, `${field}[${i}]`, scope)));
  }
  return evaluateObject(template, field, scope);
}

/** As `evaluate`, for the values of an object. */
export async function evaluateObject(template: JsonObject, field: string, scope: Scope): Promise<JsonObject> {
  const entries = await Promise.all(
    Object.entries(template).map(
      async ([key, value]) => [key, await evaluate(value, `${field}/${key}`, scope)] as const,
    ),
  );
  return Object.fromEntries(entries);
}

/** A copy through JSON; undefined when JSON cannot represent the value. */
export function asJson(value: unknown): Json | undefined {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(text);
}

async function evaluateExpression(text: string, field: string, scope: Scope): Promise<Json> {
  let json: string | undefined;
  try {
    const bindings = { ...functions(scope.nowMs), ...scope.variables, states: scope.states };
    json = JSON.stringify(await compile(text).evaluate(undefined, bindings), onlyJson);
  } catch (error) {
    throw new StatesError(
      'States.QueryEvaluationError',
      `The JSONata expression '${text}' in the field '${field}' failed: ${messageOf(error)}`,
    );
  }
  if (json === undefined) {
    throw new StatesError(
      'States.QueryEvaluationError',
      `The JSONata expression '${text}' in the field '${field}' returned nothing (undefined).`,
    );
  }
  return JSON.parse(json);
}

function compile(text: string): jsonata.Expression {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const expression = jsonata(text);
  compiled.set(text, expression);
  return expression;
}

/** Refuses, as AWS does, the values that JSON.stringify would turn into null or drop. */
function onlyJson(_key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('a number is not finite');
  const isFunction =
    typeof value === 'function' ||
    (typeof value === 'object' &&
      value !== null &&
      ('_jsonata_lambda' in value || '_jsonata_function' in value));
  if (isFunction) throw new Error('a function is no JSON');
  return value;
}

/** The functions that Step Functions adds to JSONata or defines differently. */
function functions(nowMs: number): Record<string, unknown> {
  return {
    now: (picture?: string, timezone?: string) =>
      picture === undefined
        ? new Date(nowMs).toISOString()
        : compile('$fromMillis($ms, $picture, $timezone)').evaluate(undefined, {
            ms: nowMs,
            picture,
            timezone,
          }),
    millis: () => nowMs,
    uuid: () => randomUUID(),
    parse: (text: string) => JSON.parse(text),
    hash: (text: string, algorithm: string) =>
      createHash(algorithm.replace('-', '').toLowerCase()).update(text).digest('hex'),
    range: (first: number, last: number, step: number) =>
      Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => first + i * step),
    partition: (items: unknown[], size: number) =>
      Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size)),
    random: (seed?: unknown) => {
      if (seed !== undefined) throw new Error('$random with a seed is not supported by the local stack');
      return Math.random();
    },
  };
}

/** JSONata throws plain objects with a message, not Errors. */
function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}
