import type { ExampleRequest } from './request.ts';

/**
 * A request as a call of vouchsafe-client. The address and the key are those of the client.
 *
 * @param list the list of the response, if it comes in pages.
 */
export function clientExample(
  operationId: string,
  { input, headers, authorization }: ExampleRequest,
  list?: string,
): string {
  const key = authorization === undefined ? '' : `, key: '${authorization.replace('Bearer ', '')}'`;
  const others = Object.keys(headers).length === 0 ? undefined : literal({ headers });
  const fields = Object.keys(input).length === 0 ? undefined : literal(input);
  const inputs = [fields ?? (others === undefined ? '' : '{}'), others ?? ''].filter((text) => text !== '');
  const call = `client.${operationId}(${inputs.join(', ')})`;
  return [
    "import { createClient } from 'vouchsafe-client/api';",
    '',
    `const client = createClient({ url: api${key} });`,
    ...(list === undefined
      ? [`const answer = await ${call};`]
      : [`for await (const one of ${call}) {`, '  console.log(one);', '}']),
  ].join('\n');
}

/** A value in JavaScript, in lines of at most 80 characters where that is possible. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((one) => literal(one, inner))
    : Object.entries(value).map(([name, one]) => `${nameOf(name)}: ${literal(one, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return `${open}${close}`;
  const space = Array.isArray(value) ? '' : ' ';
  const line = `${open}${space}${parts.join(', ')}${space}${close}`;
  if (line.length <= 60 && !line.includes('\n')) return line;
  return [open, ...parts.map((part) => `${inner}${part},`), `${indent}${close}`].join('\n');
}

const nameOf = (name: string) => (/^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name));

const quoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
