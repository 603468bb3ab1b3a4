import { exampleValue } from '../openapi/example-value.ts';
import type { Operation, Parameter, SecurityScheme } from '../openapi/types.ts';

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
  const [example] = Object.values(content.examples ?? {});
  const value = example === undefined ? exampleValue(content.schema, 'required') : example.value;
  if (type === 'application/json')
    return [`-H ${quoted(`content-type: ${type}`)}`, `-d ${quoted(JSON.stringify(value))}`];
  return Object.entries(value as object).map(([name, one]) => `--data-urlencode ${quoted(`${name}=${one}`)}`);
}

/** A word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
