import type { ExampleRequest } from './request.ts';

/** A request as a call of vouchsafe-client. The address and the key are those of the client. */
export const callExample = (operationId: string, request: ExampleRequest): string =>
  programOf(request, `const answer = await ${callOf(operationId, request)};`);

/** The same for an operation whose response has a list in pages. */
export const listExample = (operationId: string, request: ExampleRequest): string =>
  programOf(
    request,
    `for await (const one of ${callOf(operationId, request)}) {`,
    '  console.log(one);',
    '}',
  );

function programOf({ authorization }: ExampleRequest, ...lines: readonly string[]): string {
  const key = authorization === undefined ? '' : `, key: '${authorization.replace('Bearer ', '')}'`;
  return [
    "import { createClient } from 'vouchsafe-client/api';",
    '',
    `const client = createClient({ url: api${key} });`,
    ...lines,
  ].join('\n');
}

function callOf(operationId: string, { input, headers }: ExampleRequest): string {
  const others = Object.keys(headers).length === 0 ? undefined : literal({ headers });
  const fields = Object.keys(input).length === 0 ? undefined : literal(input);
  const inputs = [fields ?? (others === undefined ? '' : '{}'), others ?? ''].filter((text) => text !== '');
  return `client.${operationId}(${inputs.join(', ')})`;
}

/** A value in JavaScript, in one line where that is short. */
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
