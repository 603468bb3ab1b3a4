import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Signals } from '../../../../../functions/devices/identification/device-id.ts';
import { deviceLookup, lookupTimeoutMs } from '../../../../../functions/devices/identification/profiling.ts';
import { listen } from '../../../../../lib/local/listen.ts';
import { loopbackCertificate } from '../../../../support/certificate.ts';

/** Generous, for busy machines. Lookups that stall get `shortMs`. */
const timeoutMs = 60_000;
const shortMs = 150;

const signals: Signals = { userAgent: 'Mozilla/5.0', language: 'de-CH', platform: 'Linux x86_64' };

const trustedBefore = getCACertificates('default');
let trusted: { cert: string; private: string };
let untrusted: typeof trusted;
beforeAll(async () => {
  [trusted, untrusted] = await Promise.all([loopbackCertificate(), loopbackCertificate()]);
  setDefaultCACertificates([...trustedBefore, trusted.cert]);
});
afterAll(() => setDefaultCACertificates(trustedBefore));

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

type Answer = (response: ServerResponse) => void;
interface Received {
  method: string | undefined;
  headers: object;
  body: string;
}

/** A profiling service with scripted responses. `idle` resolves when all its connections are closed. */
async function service(answer: Answer, { cert, private: key } = trusted) {
  const requests: Received[] = [];
  const server = createServer({ cert, key }, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    requests.push({ method: request.method, headers: request.headers, body });
    answer(response);
  });
  let closed = Promise.resolve();
  server.on('secureConnection', (socket) => {
    const end = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    closed = closed.then(() => end);
  });
  const { url, close } = await listen(server, 0);
  open.push(async () => {
    server.closeAllConnections();
    await close();
  });
  return { url: url.replace('http:', 'https:'), requests, idle: () => closed };
}

const head = { 'content-type': 'application/json' };
const json =
  (text: string, status = 200, type = 'application/json'): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': type }).end(text);
const id = (deviceId: unknown) => json(JSON.stringify({ deviceId }));
const lookUp = (url: string, limitMs = timeoutMs) => deviceLookup(url, { timeoutMs: limitMs })(signals);

test('a lookup is a POST of exactly the six signals, and has 1.5 seconds for everything', async () => {
  expect(lookupTimeoutMs).toBe(1500);
  const { url, requests } = await service(id('dp_8Zk+/=~!'));
  const all = { ...signals, clientDeviceUUID: 'u', screenResolution: '1x1', timezone: 'UTC' };
  const identifying = Object.assign({ userId: 'usr_secret', email: 'a@example.com' }, all);
  expect(await deviceLookup(url, { timeoutMs })(identifying)).toBe('dp_8Zk+/=~!');
  expect(requests).toMatchObject([{ method: 'POST', headers: head }]);
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ signals: all });
  expect(requests[0]?.headers).not.toHaveProperty('cookie');
});

test('a response can have up to 16 KB', async () => {
  const padded = (bytes: number): Answer => json('{"deviceId":"large"}'.padEnd(bytes));
  expect(await lookUp((await service(padded(16_384))).url)).toBe('large');
  expect(await lookUp((await service(padded(16_385))).url)).toBeUndefined();
});

describe('the lookup is unavailable for', () => {
  test.each([undefined, '', 'http://127.0.0.1/devices', 'devices', 'file:///etc/passwd'])(
    'the endpoint %j, immediately',
    async (url) => {
      expect(await deviceLookup(url)(signals)).toBeUndefined();
    },
  );

  test('an untrusted certificate', async () => {
    const { url, requests } = await service(id('x'), untrusted);
    expect(await lookUp(url)).toBeUndefined();
    expect(requests).toHaveLength(0);
  });

  test.each<[string, Answer]>([
    ['500', json('{"deviceId":"x"}', 500)],
    ['204', (response) => void response.writeHead(204).end()],
    ['a content type that starts like JSON', json('{"deviceId":"x"}', 200, 'application/jsonp')],
    ['malformed JSON', json('{"deviceId":"x"')],
    ['deeply nested JSON', json('['.repeat(16_000))],
    [
      'invalid UTF-8',
      (response) =>
        void response.writeHead(200, head).end(Buffer.from('{"deviceId":"x","name":"\xff"}', 'latin1')),
    ],
    ['null', json('null')],
    ['an id from the prototype', json('{"__proto__":{"deviceId":1}}')],
    ['a numeric id', id(7)],
    ['an empty id', id('')],
    ['an id of 129 characters', id('x'.repeat(129))],
    ['an id with a line break', id('x\r\nset-cookie: a=b')],
    ['an id with the prefix of client-chosen ids', id('client-3f0f1f0e-7c1b-4c55-9d0f-2f6a8a1f6f55')],
    [
      'a truncated body',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"deviceId":"x"}', () => response.destroy());
      },
    ],
    ['a protocol other than HTTP', (response) => void response.socket?.end('hello\r\n\r\n')],
  ])('a response with %s', async (_, answer) => {
    expect(await lookUp((await service(answer)).url)).toBeUndefined();
  });

  test('a redirect, which is not followed', async () => {
    const target = await service(id('x'));
    const { url } = await service((response) => void response.writeHead(308, { location: target.url }).end());
    expect(await lookUp(url)).toBeUndefined();
    expect(target.requests).toHaveLength(0);
  });
});

test.each([200, 500])(
  'a response of 50 MB with %i is refused while it is read, and its connection is closed',
  async (status) => {
    const largest = 50 * 1024 * 1024;
    const chunk = Buffer.alloc(64 * 1024, ' ');
    let sent = 0;
    // Sends as fast as the client reads.
    const { url, idle } = await service((response) => {
      response.writeHead(status, head);
      const more = () => {
        while (sent < largest && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    expect(await lookUp(url)).toBeUndefined();
    await idle();
    // The buffers of the sockets, not the whole response.
    expect(sent).toBeLessThan(largest / 2);
  },
);

test.each<[string, Answer]>([
  ['a response that never starts', () => {}],
  [
    'a response that trickles forever',
    (response) => {
      response.writeHead(200, head);
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    },
  ],
])('the timeout covers the whole lookup, %s included, and its connection is closed', async (_, answer) => {
  const { url, idle } = await service(answer);
  expect(await lookUp(url, shortMs)).toBeUndefined();
  await idle();
});
