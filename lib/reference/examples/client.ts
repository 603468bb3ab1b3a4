import { literal, type Syntax } from './literal.ts';
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
  const others = Object.keys(headers).length === 0 ? undefined : literal({ headers }, javaScript);
  const fields = Object.keys(input).length === 0 ? undefined : literal(input, javaScript);
  const inputs = [fields ?? (others === undefined ? '' : '{}'), others ?? ''].filter((text) => text !== '');
  return `client.${operationId}(${inputs.join(', ')})`;
}

const quoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

export const javaScript: Syntax = {
  text: quoted,
  name: (name) => (/^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name)),
  word: String,
  indent: '  ',
  space: ' ',
};
