import { expect, test } from 'vitest';
import { maxResultBytes } from '../../../../../functions/shared/contract/route.ts';
import { MalformedProxyResult, toRawResponse } from '../../../../../lib/local/http/proxy-result.ts';

test('a result becomes status, headers and body', () => {
  const response = toRawResponse(
    { statusCode: 201, headers: { 'X-Count': 3, 'x-flag': true }, body: '{"ä":1}' },
    undefined,
  );
  expect(response).toEqual({
    status: 201,
    headers: { 'x-count': '3', 'x-flag': 'true' },
    body: Buffer.from('{"ä":1}'),
  });
});

const bytes = { statusCode: 200, body: Buffer.from([0, 255, 1]).toString('base64'), isBase64Encoded: true };

test.each([
  'application/pdf',
  'Application/PDF',
  'application/pdf, */*;q=0.1',
  'application/pdf;q=0.5,application/json',
  'text/html,application/xhtml+xml,*/*;q=0.8',
])('a body marked as Base64 is decoded for a client that accepts %s', (accept) => {
  expect([...toRawResponse(bytes, accept).body]).toEqual([0, 255, 1]);
});

test.each([undefined, '', '*/*', 'application/*', 'application/json, application/pdf', 'application/json'])(
  'a body marked as Base64 is sent as it is to a client that accepts %s: only the first type counts',
  (accept) => {
    expect(toRawResponse(bytes, accept).body.toString()).toBe('AP8B');
  },
);

const cycle: Record<string, unknown> = { statusCode: 200 };
cycle.headers = cycle;

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a string', 'ok'],
  ['a list', []],
  ['a function', () => undefined],
  ['no statusCode', { body: '' }],
  ['a statusCode of text', { statusCode: '200' }],
  ['a statusCode that is no status', { statusCode: 42 }],
  ['an object as body', { statusCode: 200, body: { a: 1 } }],
  ['headers as a list', { statusCode: 200, headers: ['a'] }],
  ['an object as header', { statusCode: 200, headers: { a: {} } }],
  ['a header with a line break', { statusCode: 200, headers: { a: 'b\r\nc: d' } }],
  ['a header whose name cannot be sent', { statusCode: 200, headers: { 'a b': 'c' } }],
  ['a single value in multiValueHeaders', { statusCode: 200, multiValueHeaders: { a: 'b' } }],
  ['isBase64Encoded as text', { statusCode: 200, isBase64Encoded: 'yes' }],
  ['a field that API Gateway does not know', { statusCode: 200, status: 'ok' }],
  ['a BigInt', { statusCode: 200, body: 1n }],
  ['a cycle', cycle],
  ['more than Lambda returns', { statusCode: 200, body: 'x'.repeat(maxResultBytes - 27) }],
])('%s is malformed', (_, result) => {
  expect(() => toRawResponse(result, undefined)).toThrow(MalformedProxyResult);
});
