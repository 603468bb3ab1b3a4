import { toRawResponse } from '../../../../../lib/local/http/proxy-result.ts';

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
