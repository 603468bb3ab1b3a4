import {
  MalformedEncoding,
  type RawRequest,
  toProxyEvent,
} from '../../../../../lib/local/http/proxy-event.ts';

function eventOf(request: Partial<RawRequest>) {
  return toProxyEvent({
    method: 'GET',
    target: '/api/share',
    rawHeaders: [],
    body: Buffer.alloc(0),
    peerAddress: '127.0.0.1',
    port: 3000,
    resource: '/api/share',
    pathParameters: {},
    requestId: 'request-1',
    nowMs: Date.UTC(2026, 9, 10, 13, 55, 36, 123),
    ...request,
  });
}

test('a request without query, body or parameters has null fields, as from API Gateway', () => {
  expect(eventOf({})).toMatchObject({
    resource: '/api/share',
    path: '/api/share',
    httpMethod: 'GET',
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    body: null,
    isBase64Encoded: false,
  });
});

test('repeated query parameters have their last value, and all values in the multi-value field', () => {
  const event = eventOf({ target: '/api/share?id=a&id=b&x&y=1=2&%C3%A4+b=c%20d' });
  expect(event.queryStringParameters).toEqual({ id: 'b', x: '', y: '1=2', 'ä b': 'c d' });
  expect(event.multiValueQueryStringParameters).toEqual({
    id: ['a', 'b'],
    x: [''],
    y: ['1=2'],
    'ä b': ['c d'],
  });
});

test.each(['/api/share?id=%', '/api/share?id=%FF', '/api/share?%zz=1'])(
  '%s is refused as badly encoded',
  (target) => {
    expect(() => eventOf({ target })).toThrow(MalformedEncoding);
  },
);

test('headers keep their case; repeated ones have their last value, and all values in the multi-value field', () => {
  const event = eventOf({ rawHeaders: ['X-Thing', '1', 'x-thing', '2', 'Accept', '*/*'] });
  expect(event.headers).toMatchObject({ 'X-Thing': '2', Accept: '*/*' });
  expect(event.multiValueHeaders).toMatchObject({ 'X-Thing': ['1', '2'], Accept: ['*/*'] });
});

test('a forged X-Forwarded-For does not change the source address: the real peer is appended', () => {
  const event = eventOf({
    rawHeaders: ['x-forwarded-for', '203.0.113.9', 'X-Forwarded-For', '203.0.113.10'],
    peerAddress: '198.51.100.7',
  });
  expect(event.requestContext.identity.sourceIp).toBe('198.51.100.7');
  expect(event.headers['X-Forwarded-For']).toBe('203.0.113.9, 203.0.113.10, 198.51.100.7');
  expect(event.headers['x-forwarded-for']).toBeUndefined();
});

test.each([
  ['::ffff:192.0.2.4', '192.0.2.4'],
  ['2001:db8::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  [undefined, ''],
])('the peer %s is reported as %s', (peerAddress, sourceIp) => {
  expect(eventOf({ peerAddress }).requestContext.identity.sourceIp).toBe(sourceIp);
});

test('a body is text, whatever its bytes', () => {
  const event = eventOf({ method: 'POST', body: Buffer.from('{"ä":1}') });
  expect(event).toMatchObject({ body: '{"ä":1}', isBase64Encoded: false });
  expect(eventOf({ body: Buffer.from([0xff]) }).body).toBe('\ufffd');
});

test('a body of a binary type is Base64', () => {
  const rawHeaders = ['content-TYPE', 'Application/PDF; version=1'];
  const event = eventOf({ method: 'POST', rawHeaders, body: Buffer.from([0xff]) });
  expect(event).toMatchObject({ body: '/w==', isBase64Encoded: true });
  expect(eventOf({ rawHeaders })).toMatchObject({ body: null, isBase64Encoded: false });
});

test('a form with a file is Base64', () => {
  const rawHeaders = ['content-type', 'multipart/form-data; boundary=x'];
  const event = eventOf({ method: 'POST', rawHeaders, body: Buffer.from([0x1f, 0x8b]) });
  expect(event).toMatchObject({ body: 'H4s=', isBase64Encoded: true });
});
