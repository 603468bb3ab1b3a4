import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Registered } from '../../../../../functions/routes.ts';
import { unknownPathResponses } from '../../../../../lib/deployment/gateway/unknown-path.ts';
import { httpServer } from '../../../../../lib/local/http/server.ts';
import { type Listening, listen } from '../../../../../lib/local/listen.ts';
import { withoutTimeBar } from '../../../../support/time-bar.ts';

const path = (method: string, path: string, cors = false) =>
  ({ id: `${method} ${path}`, route: { method, path, cors } }) as unknown as Registered;

const registry = [
  path('GET', '/things/{id}', true),
  path('POST', '/things/{id}', true),
  path('GET', '/plain'),
];

/** The function of the current test. */
let answer: (event: APIGatewayProxyEvent) => unknown;
let invoked: APIGatewayProxyEvent[] = [];
const lines: string[] = [];
const causes: unknown[] = [];
let server: Listening;
let port: number;

beforeAll(async () => {
  const http = httpServer({
    registry,
    invoke: async (_, event) => {
      invoked.push(event);
      return answer(event);
    },
    nowMs: () => Date.UTC(2030, 0, 1),
    allowedOrigins: ['*'],
    publicUrl: 'https://stack.example.org',
    report: (_, cause) => causes.push(cause),
    log: (line) => lines.push(line),
    local: [
      async (_, response, { pathname }) => {
        if (pathname === '/_local/broken') throw new Error('broken');
        if (pathname !== '/_local/known') return false;
        response.end('known');
        return true;
      },
    ],
    timeoutMs: 100,
  });
  server = await listen(http, 0);
  port = Number(new URL(server.url).port);
});
afterAll(() => server.close());
beforeEach(() => {
  answer = () => ({ statusCode: 200, body: 'ok' });
  invoked = [];
  lines.length = 0;
  causes.length = 0;
});

/** Sends raw bytes and reads until the server closes the connection. */
async function raw(...pieces: (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  // A server that has responded and closed resets the connection of a remote that is still sending.
  socket.on('error', () => undefined);
  for (const piece of pieces) socket.write(piece);
  await once(socket, 'close');
  return received;
}

const close = 'Host: localhost\r\nConnection: close\r\n';

function expectCommonHeaders({ headers }: Response) {
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
}

test('a request reaches the function of its route, and the result reaches the remote', async () => {
  answer = (event) => ({ statusCode: 201, headers: { 'x-id': event.pathParameters?.id }, body: event.body });
  const response = await fetch(`${server.url}/things/a%20b?x=1`, { method: 'POST', body: '{"n":1}' });
  expect(response.status).toBe(201);
  expect(response.headers.get('x-id')).toBe('a b');
  expect(await response.text()).toBe('{"n":1}');
  expect(invoked[0]).toMatchObject({ resource: '/things/{id}', queryStringParameters: { x: '1' } });
});

test('an unknown path is a page to a browser, as API Gateway sends it but for the time of the stack', async () => {
  const response = await fetch(`${server.url}/nothing?x=1`, { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect(response.status).toBe(404);
  const { status, page } = unknownPathResponses('', ['*']);
  expect(response.status).toBe(status);
  const shown = await response.text();
  expect(shown).toContain('1 January 2030, 00:00 UTC');
  expect(withoutTimeBar(shown)).toBe(page.html);
  const { 'content-security-policy': policy, ...headers } = page.headers;
  expect(response.headers.get('content-security-policy')).not.toBe(policy);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    ...headers,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test('a browser that asks for an icon or a manifest by itself has one', async () => {
  for (const path of ['favicon.ico', 'apple-touch-icon.png', 'apple-touch-icon-precomposed.png']) {
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(`${server.url}/${path}`, { method });
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        200,
        'image/svg+xml',
      ]);
      expect(await response.text()).toMatch(method === 'GET' ? /^<svg / : /^$/);
    }
  }
  const manifest = await fetch(`${server.url}/manifest.json`);
  expect(manifest.headers.get('content-type')).toBe('application/manifest+json');
  const { name, icons } = JSON.parse(await manifest.text());
  expect([name, icons[0].src]).toEqual(['Vouchsafe', 'favicon.ico']);
  expect((await fetch(`${server.url}/favicon.ico`, { method: 'POST' })).status).toBe(404);
});

test('a page has the time of the stack; JSON and a document with a file name do not', async () => {
  const html = '<html><head><style>a{}</style></head><body><p>$&</p></body></html>';
  const policy = "default-src 'none'; style-src 'sha256-abc'";
  const answered = async (headers: Record<string, string>) => {
    answer = () => ({ statusCode: 402, headers: { etag: '"1"', ...headers }, body: html });
    const response = await fetch(`${server.url}/plain`);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    };
  };
  const type = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
  const page = await answered(type);
  expect(page.status).toBe(402);
  expect(withoutTimeBar(page.text)).toBe(html);
  const [, styles = ''] = /<\/style><style>(.*?)<\/style>/.exec(page.text) ?? [];
  const hash = createHash('sha256').update(styles).digest('base64');
  expect(page.headers['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${hash}' 'sha256-abc'`,
  );
  // A stored page would show an old time.
  expect(page.headers).toMatchObject({ 'cache-control': 'no-store' });
  expect(page.headers).not.toHaveProperty('etag');
  for (const headers of [
    { ...type, 'content-type': 'application/json' },
    { ...type, 'content-disposition': 'inline; filename="INV-1.html"' },
  ]) {
    const same = await answered(headers);
    expect(same.text).toBe(html);
    expect(same.headers).toMatchObject({ etag: '"1"', 'content-security-policy': policy });
  }
});

test('HEAD answers as GET without a body, by the same function', async () => {
  const [get, head] = await Promise.all(
    ['GET', 'HEAD'].map((method) => fetch(`${server.url}/things/1`, { method })),
  );
  const headers = (response: Response | undefined) =>
    [...(response?.headers ?? [])].filter(
      ([name]) => !['connection', 'date', 'keep-alive', 'x-request-id'].includes(name),
    );
  expect(head?.status).toBe(200);
  expect(headers(head)).toEqual(headers(get));
  expect((await head?.text())?.length).toBe(0);
  expect((await get?.text())?.length).toBeGreaterThan(0);
  expect(invoked).toHaveLength(2);
});

test.each(['DELETE', 'PUT', 'PATCH'])(
  '%s on a path without it is a 405 that names the others',
  async (method) => {
    const response = await fetch(`${server.url}/things/1`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    expectCommonHeaders(response);
    expect(invoked).toEqual([]);
  },
);

test.each([
  ['throws', () => Promise.reject(new Error('secret cause'))],
  ['answers nothing', () => undefined],
  ['answers without a statusCode', () => ({ body: '' })],
  ['answers with an object as body', () => ({ statusCode: 200, body: {} })],
])('a function that %s is a 502 that does not say why', async (_, broken) => {
  answer = broken;
  const response = await fetch(`${server.url}/plain`);
  expect(response.status).toBe(502);
  expectCommonHeaders(response);
  expect(response.headers.get('x-audit-id')).toBe(response.headers.get('x-request-id'));
  expect(await response.text()).not.toContain('secret cause');
  expect(causes).toHaveLength(1);
});

test('a body that grows over 10 MB is refused, and a remote that is still sending reads the response', async () => {
  const chunk = new Uint8Array(1024 * 1024);
  let sent = 0;
  const body = new ReadableStream({
    pull: (controller) => {
      sent += 1;
      if (sent > 14) controller.close();
      else controller.enqueue(chunk);
    },
  });
  const response = await fetch(`${server.url}/things/1`, { method: 'POST', body, duplex: 'half' });
  expect(response.status).toBe(413);
  expectCommonHeaders(response);
  expect(await response.json()).toMatchObject({ error: 'payload_too_large' });
  expect(invoked).toEqual([]);
});

test.each([
  [
    'a header block over 10,240 bytes',
    `GET /plain HTTP/1.1\r\n${close}X-Long: ${'x'.repeat(10_240)}\r\n\r\n`,
    431,
  ],
  ['a request line over 10,240 bytes', `GET /plain?${'x'.repeat(11_000)} HTTP/1.1\r\n${close}\r\n`, 431],
  ['no HTTP at all', 'hello\r\n\r\n', 400],
  ['an unknown method', `BREW /plain HTTP/1.1\r\n${close}\r\n`, 400],
  ['a broken chunk', `POST /things/1 HTTP/1.1\r\n${close}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
  ['bad encoding in the path', `GET /things/%zz HTTP/1.1\r\n${close}\r\n`, 400],
  ['bad encoding in the query', `GET /plain?id=%FF HTTP/1.1\r\n${close}\r\n`, 400],
])('%s is refused in the shape of every error', async (_, request, status) => {
  const [head = '', body = ''] = (await raw(request)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toMatch(/x-request-id: [0-9a-f-]{36}/);
  expect(head).toContain('cache-control: no-store');
  expect(JSON.parse(body)).toMatchObject({ error: 'invalid_request' });
  expect(invoked).toEqual([]);
});

test('a page of another site cannot post to /_local', async () => {
  const post = (origin: string) =>
    fetch(`${server.url}/_local/known`, { method: 'POST', headers: { origin } });
  expect((await post('https://evil.example')).status).toBe(403);
  expect((await post('null')).status).toBe(403);
  expect((await post(server.url)).status).toBe(200);
});

const hosts = readFileSync(new URL('../../../../corpus/hosts.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t') as [host: string, whose: 'own' | 'foreign', note: string]);

test.each(hosts)('a request for the host %s is answered as one for %s host (%s)', async (host, whose) => {
  const expected = whose === 'own' ? 200 : 403;
  for (const path of ['/plain', '/_local/known']) {
    const answered = await raw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(answered, path).toMatch(new RegExp(`^HTTP/1.1 ${expected} `));
  }
  expect(invoked).toHaveLength(whose === 'own' ? 1 : 0);
});

test('a request for the host of another site says what to do, on paths that do not exist too', async () => {
  const foreign = 'Host: evil.example\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n';
  for (const line of ['GET /nothing', 'OPTIONS /things/1', 'DELETE /_local/nothing']) {
    const [head = '', body = ''] = (await raw(`${line} HTTP/1.1\r\n${foreign}`)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 403 /);
    expect(head).not.toMatch(/access-control-allow-origin/i);
    expect(JSON.parse(body)).toEqual({
      error: 'forbidden',
      message: expect.stringMatching(/localhost:\d+.*PUBLIC_URL/),
    });
  }
});

test('every name of a request counts: two Host headers, and the address of a request through a proxy', async () => {
  const twice = await raw(`GET /plain HTTP/1.1\r\nHost: evil.example\r\n${close}\r\n`);
  expect(twice).toMatch(/^HTTP\/1.1 40[03] /);
  const proxied = await raw(`GET http://evil.example/plain HTTP/1.1\r\n${close}\r\n`);
  expect(proxied).toMatch(/^HTTP\/1.1 403 /);
  expect(invoked).toEqual([]);
});
