/** Headers that authenticate or name the caller, sent more than once. */

import { expect, test } from 'vitest';
import { registeredRoutes } from '../../../functions/routes.ts';
import type { Auth } from '../../../functions/shared/contract/callers.ts';
import { errorTable } from '../../../functions/shared/contract/errors.ts';
import { singleHeader } from '../../../functions/shared/lambda/request-context.ts';
import { type Call, handlerOf, proxyEvent, read } from '../../support/call.ts';
import { samples } from '../../support/samples/requests.ts';

/** Headers that authenticate, which no route declares, with the response to a repeated one. */
const credentials: Readonly<Partial<Record<Auth, [name: string, status: number, error: string][]>>> = {
  proof: [
    ['x-device-id', 403, 'Device not verified'],
    ['x-auth-hash', 401, 'Invalid authHash or expired session'],
    ['x-device-token', 403, 'Device not verified'],
    ['dpop', 403, 'Device not verified'],
  ],
  links: [['authorization', 401, 'invalid_token']],
  application: [
    ['authorization', 401, 'invalid_token'],
    // Two ids name no application.
    ['x-application-id', 400, 'invalid_request'],
  ],
  seller: [
    ['authorization', 401, 'invalid_token'],
    ['x-application-id', 400, 'invalid_request'],
  ],
  apiKey: [['authorization', 401, 'invalid_token']],
  operator: [['authorization', 401, 'invalid_token']],
};
/** Lists, of which a second value is a further element: RFC 9110 section 5.3 and, for cookies, RFC 9113 section 8.2.3. */
const listHeaders = new Set(['accept', 'cookie', 'if-none-match']);

const repeated = registeredRoutes().flatMap((entry) => {
  const { invalid, failed } = entry.route.errors;
  const row = errorTable[invalid ?? failed];
  const declared = Object.keys(entry.route.headers?.shape ?? {})
    .filter((name) => !listHeaders.has(name))
    .map((name) => ({ entry, name, status: row.status as number, error: row.error as string }));
  const own = (credentials[entry.route.auth] ?? []).map(([name, status, error]) => ({
    entry,
    name,
    status,
    error,
  }));
  return [...own, ...declared];
});

/** The event of a request that has a header twice. API Gateway has both in the lists, and the last one in the map. */
function twice(entry: (typeof repeated)[number]['entry'], request: Call, name: string, second?: string) {
  const event = proxyEvent(entry, request);
  const key = Object.keys(event.headers).find((one) => one.toLowerCase() === name) ?? name;
  const first = event.headers[key] ?? 'x';
  const values = [first, second ?? first];
  return {
    ...event,
    headers: { ...event.headers, [key]: values[1] },
    multiValueHeaders: { ...event.multiValueHeaders, [key]: values },
  };
}

test.each(repeated)('$entry.id refuses a repeated $name', async ({ entry, name, status, error }) => {
  const request = (await samples[entry.id]?.()) ?? {};
  const handler = await handlerOf(entry);
  for (const second of [undefined, 'another']) {
    const { status: answered, body } = read(await handler(twice(entry, request, name, second) as never));
    expect([answered, body.error]).toEqual([status, error]);
  }
});

test('every way to authenticate an application or an operator is tested', () => {
  expect(new Set(repeated.map(({ name }) => name))).toEqual(
    new Set([
      ...['authorization', 'x-user-id', 'idempotency-key', 'stripe-signature'],
      ...['x-device-id', 'x-auth-hash', 'x-device-token', 'dpop'],
      ...['x-share-proof', 'x-receipt-token', 'x-enrolment-token', 'x-application-id'],
    ]),
  );
});

test('values that a proxy joined with a comma are no token', async () => {
  for (const { entry } of repeated.filter(({ name, status }) => name === 'authorization' && status === 401)) {
    const request = (await samples[entry.id]?.()) ?? {};
    const { authorization = '' } = request.headers ?? {};
    const headers = { ...request.headers, authorization: `${authorization}, ${authorization}` };
    const handler = await handlerOf(entry);
    expect(read(await handler(proxyEvent(entry, { ...request, headers }))).status, entry.id).toBe(401);
  }
});

test('a repeated header has no value, in whichever case its name is', () => {
  const once = { headers: { 'X-Device-Id': 'a' }, multiValueHeaders: { 'X-Device-Id': ['a'] } };
  expect(singleHeader(once, 'x-device-id')).toBe('a');
  expect(singleHeader({ headers: { 'x-device-id': 'a' } }, 'x-device-id')).toBe('a');
  expect(singleHeader(once, 'x-auth-hash')).toBeUndefined();
  const both = { headers: { 'X-Device-Id': 'b' }, multiValueHeaders: { 'X-Device-Id': ['a', 'b'] } };
  expect(singleHeader(both, 'x-device-id')).toBe('');
});
