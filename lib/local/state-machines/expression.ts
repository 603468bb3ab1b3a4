import jsonata from 'jsonata';
import { StatesError } from './errors.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Compiled expressions by their text, for the life of the process: no more than the definitions have. */
const compiled = new Map<string, jsonata.Expression>();

/** Functions that AWS adds to JSONata, lacks, or evaluates by its own clock. */
const unsupported = /\$(eval|hash|millis|now|parse|partition|random|range|uuid)\b/;

/** The problem of an expression such as `{% $states.input %}`; undefined for one that compiles. */
export function expressionProblem(template: string): string | undefined {
  if (!template.startsWith('{%') || !template.endsWith('%}')) {
    return 'an expression must start with {% and end with %}';
  }
  const [name] = unsupported.exec(template) ?? [];
  if (name !== undefined) return `${name} is not supported by the local stack`;
  try {
    compile(template);
  } catch (error) {
    return `no valid JSONata: ${messageOf(error)}`;
  }
  return undefined;
}

/**
 * The value of an expression.
 *
 * @param field the field of the state, for the error message
 * @param states what the expression reads as `$states`
 * @throws StatesError `States.QueryEvaluationError` when an expression fails or yields no JSON
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/transforming-data.html
 */
export async function evaluate(
  template: string,
  field: string,
  states: { input: Json; result?: Json },
): Promise<Json> {
  let json: string | undefined;
  try {
    json = JSON.stringify(await compile(template).evaluate(undefined, { states }), onlyJson);
  } catch (error) {
    throw failed(template, field, `failed: ${messageOf(error)}`);
  }
  if (json === undefined) throw failed(template, field, 'returned nothing (undefined).');
  return JSON.parse(json);
}

const failed = (template: string, field: string, why: string) =>
  new StatesError(
    'States.QueryEvaluationError',
    `The JSONata expression '${template}' in the field '${field}' ${why}`,
  );

/** A copy through JSON; undefined when JSON cannot represent the value. */
export function asJson(value: unknown): Json | undefined {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(text);
}

function compile(template: string): jsonata.Expression {
  const known = compiled.get(template);
  if (known !== undefined) return known;
  const expression = jsonata(template.slice(2, -2));
  compiled.set(template, expression);
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

/** JSONata throws plain objects with a message, not Errors. */
function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}
