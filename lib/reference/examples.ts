import type { Operation, Parameter, Reference, Schema, SecurityScheme } from '../openapi/types.ts';

/**
 * A value that a schema describes, made of the examples in it. Texts without an example are a placeholder in angle
 * brackets, which names what to put there.
 *
 * @param fields `required` leaves optional fields out.
 */
export function exampleValue(
  schema: Schema | Reference | boolean,
  fields: 'required' | 'all',
  name = 'value',
): unknown {
  if (typeof schema === 'boolean' || '$ref' in schema) return {};
  const { type, examples, enum: values, anyOf, format, minimum = 1 } = schema as Schema;
  const given = [...(examples ?? []), schema.const, ...(values ?? []), schema.default];
  const first = given.find((value) => value !== undefined && value !== null);
  if (first !== undefined) return first;
  if (anyOf !== undefined) return anyOf[0] === undefined ? null : exampleValue(anyOf[0], fields, name);
  const [only] = [type ?? 'object'].flat().filter((one) => one !== 'null');
  if (only === 'object') return exampleObject(schema as Schema, fields);
  if (only === 'array') return exampleItems(schema as Schema, fields, name);
  if (only === 'boolean') return true;
  if (only === 'number' || only === 'integer') return Math.max(1, minimum);
  return byFormat[format ?? ''] ?? `<${name}>`;
}

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00.000Z',
  email: 'ann@example.com',
  uri: 'https://app.example.com/',
};

function exampleObject(
  { properties = {}, required = [] }: Schema,
  fields: 'required' | 'all',
): Record<string, unknown> {
  const names = Object.keys(properties);
  const chosen = fields === 'all' ? names : names.filter((name) => required.includes(name));
  // A change names at least one field.
  const shown = chosen.length > 0 ? chosen : names.slice(0, 1);
  return Object.fromEntries(
    shown.map((name) => [name, exampleValue(properties[name] ?? true, fields, name)]),
  );
}

function exampleItems({ items }: Schema, fields: 'required' | 'all', name: string): unknown[] {
  return items === undefined || Array.isArray(items) ? [] : [exampleValue(items, fields, name)];
}

/**
 * A request for an operation as a command for a POSIX shell with curl, in which `$api` is the address of the API.
 * It has what the operation requires, and the first way to authenticate.
 */
export function curlCommand(
  method: string,
  path: string,
  operation: Operation,
  schemes: Readonly<Record<string, SecurityScheme>>,
): string {
  const { parameters = [], requestBody, security } = operation;
  const sent = parameters.filter(({ required }) => required);
  const filled = sent
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, parameter) => text.replace(`{${parameter.name}}`, parameterText(parameter)), path);
  const query = sent
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => `${parameter.name}=${parameterText(parameter)}`);
  const url = `$api${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const headers = [
    ...Object.keys(security[0] ?? {}).map((name) => credentials(schemes[name])),
    ...sent
      .filter((parameter) => parameter.in === 'header')
      .map((parameter) => `${parameter.name}: ${parameterText(parameter)}`),
  ];
  const parts = [
    `curl ${method === 'GET' || requestBody !== undefined ? '' : `-X ${method} `}"${url}"`,
    ...(method !== 'POST' && requestBody !== undefined ? [`-X ${method}`] : []),
    ...headers.map((header) => `-H ${quoted(header)}`),
    ...bodyArguments(requestBody),
  ];
  return parts.join(' \\\n  ');
}

function parameterText({ name, schema }: Parameter): string {
  const value = exampleValue(schema, 'required', name);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A placeholder stays readable.
  return text.startsWith('<') ? text : encodeURIComponent(text);
}

function credentials(scheme: SecurityScheme | undefined): string {
  if (scheme?.type === 'apiKey') return `${scheme.name}: <${scheme.name}>`;
  const [, prefix = 'token'] = /`(\w+_)\.\.\.`/.exec(scheme?.description ?? '') ?? [];
  return `authorization: Bearer <${prefix}...>`;
}

function bodyArguments(body: Operation['requestBody']): string[] {
  const [type, content] = Object.entries(body?.content ?? {})[0] ?? [];
  if (type === undefined || content === undefined) return [];
  const value = exampleValue(content.schema, 'required');
  if (type === 'application/json')
    return [`-H ${quoted(`content-type: ${type}`)}`, `-d ${quoted(JSON.stringify(value))}`];
  return Object.entries(value as object).map(([name, one]) => `--data-urlencode ${quoted(`${name}=${one}`)}`);
}

/** A word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
