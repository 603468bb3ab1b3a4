import { exampleValue } from '../../openapi/example-value.ts';
import type { Operation, Parameter, SecurityScheme } from '../../openapi/types.ts';

/** The example of a request, from which the examples in each language are written. */
export interface ExampleRequest {
  /** In upper case. */
  readonly method: string;
  /** With its query, encoded. */
  readonly target: string;
  /** The key, as `Bearer <vak_...>`; undefined for an operation that takes none. */
  readonly authorization: string | undefined;
  /** Other headers, with lowercase names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ExampleBody | undefined;
  /** The parameters and the fields of the body, as the client takes them. */
  readonly input: Readonly<Record<string, unknown>>;
}

interface ExampleBody {
  readonly type: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Parameters without which the example is refused, although no schema requires them: a receipt token, and the user, once. */
function isNeeded({ name, in: place }: Parameter, parameters: readonly Parameter[]): boolean {
  if (name === 'userId' && place === 'query') return !parameters.some((one) => one.name === 'x-user-id');
  return name === 'x-user-id' || name === 'x-receipt-token';
}

/**
 * The example of an operation: the parameters that it requires, and the example of its body. It authenticates with an API key, or as
 * a device that has a token, where the operation takes one: the demo data has these.
 */
export function exampleRequest(
  method: string,
  path: string,
  { parameters = [], requestBody, security }: Operation,
  schemes: Readonly<Record<string, SecurityScheme>>,
): ExampleRequest {
  const sent = parameters.filter((one) => one.required || isNeeded(one, parameters));
  const values = (place: Parameter['in']) =>
    Object.fromEntries(
      sent.filter((parameter) => parameter.in === place).map((one) => [one.name, parameterText(one)]),
    );
  const inPath = values('path');
  const query = values('query');
  const filled = Object.entries(inPath).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encoded(value)),
    path,
  );
  const search = Object.entries(query).map(([name, value]) => `${name}=${encoded(value)}`);
  const has = (name: string) =>
    security.find((one) => name in one && (name === 'apiKey' || 'authHash' in one));
  const requirement = has('apiKey') ?? has('deviceToken') ?? security[0] ?? {};
  const proofs = Object.keys(requirement).map((name) => credentials(schemes[name]));
  const { authorization, ...proof } = Object.fromEntries(proofs);
  const body = exampleBody(requestBody);
  return {
    method,
    target: `${filled}${search.length > 0 ? `?${search.join('&')}` : ''}`,
    authorization,
    headers: Object.assign({}, proof, values('header')),
    body,
    input: Object.assign({}, inPath, query, body?.value),
  };
}

function parameterText({ name, schema }: Parameter): string {
  const value = exampleValue(schema, 'required', name);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A placeholder stays readable. */
const encoded = (text: string) => (text.startsWith('<') ? text : encodeURIComponent(text));

function credentials(scheme: SecurityScheme | undefined): [header: string, value: string] {
  if (scheme?.type === 'apiKey') return [String(scheme.name).toLowerCase(), `<${String(scheme.name)}>`];
  const [, prefix = 'token'] = /`(\w+_)\.\.\.`/.exec(scheme?.description ?? '') ?? [];
  return ['authorization', `Bearer <${prefix}...>`];
}

function exampleBody(body: Operation['requestBody']): ExampleBody | undefined {
  const [type, content] = Object.entries(body?.content ?? {})[0] ?? [];
  if (type === undefined || content === undefined) return undefined;
  const [example] = Object.values(content.examples ?? {});
  const value = example === undefined ? exampleValue(content.schema, 'required') : example.value;
  return { type, value: Object(value) };
}

/** The headers of the example, with its key. */
export const headersOf = ({ authorization, headers }: ExampleRequest): ExampleRequest['headers'] =>
  authorization === undefined ? headers : Object.assign({ authorization }, headers);

export const isForm = ({ type }: ExampleBody): boolean => type !== 'application/json';
