import type { Method } from '../../functions/shared/contract/route.ts';
import { parameterNames } from '../openapi/paths.ts';
import { conventions, type Service } from './conventions.ts';

/** A new endpoint, as requested. */
export interface Endpoint {
  service: Service;
  /** `plan-archive`: the key of its route, and the name of its files. */
  name: string;
  method: Method;
  path: string;
}

const takesBody = ({ method }: Endpoint) => method === 'POST' || method === 'PUT' || method === 'PATCH';

/** Writes are rate limited where anyone may call, or where authentication itself costs work. */
const isLimited = (endpoint: Endpoint) =>
  takesBody(endpoint) && ['none', 'proof'].includes(conventions[endpoint.service].auth);

/** The endpoint's contract. */
export function contractFile(endpoint: Endpoint): string {
  const { service, name, method, path } = endpoint;
  const { auth, operatorScope, errors, refusals, grants, namesUser } = conventions[service];
  const parameters = parameterNames(path);
  const user = namesUser ? 'userId, ' : '';
  const nameField = 'name: z.string().check(z.minLength(1), z.maxLength(100))';
  const shown = [...parameters, ...(takesBody(endpoint) ? ['name'] : [])].map(
    (field) => `${field}: z.string(),`,
  );
  const isRefusable = takesBody(endpoint) || parameters.length > 0 || namesUser;
  const codes = [
    ...(isRefusable ? [`invalid: '${errors.invalid}'`] : []),
    ...(isLimited(endpoint) ? [`limited: '${errors.limited}'`] : []),
    `failed: '${errors.failed}'`,
    ...(refusals.length > 0 ? [`also: [${refusals.map((code) => `'${code}'`).join(', ')}]`] : []),
  ];
  const lines = [
    "import * as z from 'zod/mini';",
    "import { defineRoute } from '../../shared/contract/route.ts';",
    isLimited(endpoint) && "import { minuteMs } from '../../shared/runtime/duration.ts';",
    namesUser && "import { userId } from '../vault.ts';",
    '',
    'export const route = defineRoute({',
    `method: '${method}',`,
    `path: '${path}',`,
    `summary: '${words(name)}.',`,
    `auth: '${auth}',`,
    operatorScope !== undefined && `operatorScope: '${operatorScope}',`,
    isLimited(endpoint) && `limit: { group: '${service}-${name}', max: 30, windowMs: minuteMs },`,
    parameters.length > 0 &&
      `params: z.object({ ${parameters.map((one) => `${one}: z.string()`).join(', ')} }),`,
    namesUser && !takesBody(endpoint) && 'query: z.object({ userId }),',
    takesBody(endpoint) && `body: z.object({ ${user}${nameField} }),`,
    `response: z.object({ ${shown.join(' ')} receivedAt: z.iso.datetime() }),`,
    `errors: { ${codes.join(', ')} },`,
    `grants: ${grants},`,
    '});',
  ];
  return `${lines.filter((line) => line !== false && line !== undefined).join('\n')}\n`;
}

/** The import of the contract, in the routes of its service. */
export const contractImport = ({ name }: Endpoint) =>
  `import { route as ${camel(name)} } from './contracts/${name}.ts';\n`;

/** The entry of the contract, in the routes of its service. */
export const contractEntry = ({ name }: Endpoint) =>
  camel(name) === name ? `${name},` : `'${name}': ${camel(name)},`;

/** The endpoint's file. */
export function endpointFile(endpoint: Endpoint): string {
  const { service, name, path } = endpoint;
  const { caller } = conventions[service];
  const parts = [
    ...(parameterNames(path).length > 0 ? ['params'] : []),
    ...(takesBody(endpoint) ? ['body'] : []),
  ];
  const result = [
    ...parameterNames(path).map((parameter) => `${parameter}: params.${parameter}`),
    ...(takesBody(endpoint) ? ['name: body.name'] : []),
    'receivedAt: isoTime(clock.nowMs())',
  ];
  const handle = `handle${pascal(name)}`;
  const input = parts.length > 0 ? `{ ${parts.join(', ')} }` : '_input';
  return `import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock, isoTime } from '../shared/runtime/clock.ts';
import { route } from './contracts/${name}.ts';
${caller ? `import { ${caller.name} } from '${caller.from}';\n` : ''}
/** ${words(name)}. */
export async function ${handle}(
  ${input}: Input<typeof route>,
): Promise<Output<typeof route>> {
  return { ${result.join(', ')} };
}

export const handler = endpoint(${['route', handle, ...(caller ? [caller.name] : [])].join(', ')});
`;
}

/** An entry of the samples: a request that succeeds. */
export function sampleEntry(endpoint: Endpoint): string {
  const { service, name, path } = endpoint;
  const { sample, namesUser } = conventions[service];
  const parameters = parameterNames(path).map((parameter) => `${parameter}: '${parameter}-1'`);
  const user = namesUser ? 'userId: account.userId, ' : '';
  const fields = [
    ...(parameters.length > 0 ? [`params: { ${parameters.join(', ')} }`] : []),
    ...(namesUser && !takesBody(endpoint) ? ['query: { userId: account.userId }'] : []),
    ...(takesBody(endpoint) ? [`body: { ${user}name: 'Example' }`] : []),
  ];
  return `'${service}.${name}': ${sample(fields.join(', '))},`;
}

/** The endpoint's own test. */
export function testFile(endpoint: Endpoint): string {
  const { service, name, method, path } = endpoint;
  const id = `${service}.${name}`;
  const expected = [
    ...parameterNames(path).map((parameter) => `${parameter}: '${parameter}-1'`),
    ...(takesBody(endpoint) ? ["name: 'Example'"] : []),
    "receivedAt: '2030-01-01T00:00:00.000Z'",
  ];
  return `import { afterEach, describe, expect, test, vi } from 'vitest';
import { call } from '../../../support/call.ts';
import { samples } from '../../../support/samples/requests.ts';

afterEach(() => vi.useRealTimers());

describe('${method} ${path}', () => {
  test('returns the input and the time of the request', async () => {
    const request = await samples['${id}']?.();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-01-01T00:00:00.000Z') });
    const response = await call('${id}', request);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ${expected.join(', ')} });
  });
});
`;
}

/** The row of the endpoint among the budgets of round trips, where it has one. */
export function budgetRow({ service, name }: Endpoint): string | undefined {
  const { budget } = conventions[service];
  return budget === undefined ? undefined : `'${service}.${name}': ${budget},`;
}

/** `plan-archive` as the beginning of a sentence: `Plan archive`. */
function words(name: string): string {
  const text = name.replaceAll('-', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

const pascal = (name: string) => words(camel(name));
const camel = (name: string) => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
