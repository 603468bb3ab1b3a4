import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Signals } from '../../../../../functions/devices/identification/device-id.ts';
import { deviceLookup, lookupTimeoutMs } from '../../../../../functions/devices/identification/profiling.ts';
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

type Answer = (response: ServerResponse, request: IncomingMessage, body: string) => void;

interface Endpoint {
  url: string;
  requests: { method: string | undefined; headers: IncomingMessage['headers']; body: string }[];
  /** Number of accepted connections. */
  connections: () => number;
  /** Resolves when all connections are closed. */
  idle: () => Promise<void>;
}

const open: (Server | TcpServer)[] = [];

async function listen<T extends Server | TcpServer>(server: T): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

afterEach(async () => {
  for (const server of open.splice(0)) {
    await new Promise((resolve) => {
      server.close(resolve);
      if ('closeAllConnections' in server) server.closeAllConnections();
    });
  }
});

/** A profiling service with scripted responses. */
async function service(answer: Answer, { cert, private: key } = trusted): Promise<Endpoint> {
  const requests: Endpoint['requests'] = [];
  const server = createServer({ cert, key }, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    requests.push({ method: request.method, headers: request.headers, body });
    answer(response, request, body);
  });
  let connections = 0;
  let closed = Promise.resolve();
  server.on('secureConnection', (socket) => {
    connections += 1;
    const end = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    closed = closed.then(() => end);
  });
  const url = `https://127.0.0.1:${await listen(server)}/devices`;
  return { url, requests, connections: () => connections, idle: () => closed };
}

const json =
  (text: string, status = 200, type = 'application/json'): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': type }).end(text);

const id = (deviceId: unknown) => json(JSON.stringify({ deviceId }));

/** Looks up once and measures the time. */
async function lookUp(
  url: string,
  limitMs = timeoutMs,
): Promise<{ found: string | undefined; tookMs: number }> {
  const startMs = performance.now();
  const found = await deviceLookup(url, { timeoutMs: limitMs })(signals);
  return { found, tookMs: performance.now() - startMs };
}

test('a lookup has 1.5 seconds for everything', () => {
  expect(lookupTimeoutMs).toBe(1500);
});

describe('a response in time', () => {
  test('identifies the device', async () => {
    const { url } = await service(id('dp_8Zk+/=~!'));
    expect((await lookUp(url)).found).toBe('dp_8Zk+/=~!');
  });

  test('can have up to 16 KB', async () => {
    const padded = (bytes: number): Answer => json('{"deviceId":"large"}'.padEnd(bytes));
    expect((await lookUp((await service(padded(16_384))).url)).found).toBe('large');
    expect((await lookUp((await service(padded(16_385))).url)).found).toBeUndefined();
  });
});

describe('a request', () => {
  test('is a POST of exactly the six signals', async () => {
    const { url, requests } = await service(id('x'));
    const all = { ...signals, clientDeviceUUID: 'u', screenResolution: '1x1', timezone: 'UTC' };
    await deviceLookup(url)(Object.assign({ userId: 'usr_secret', email: 'a@example.com' }, all));
    const [request] = requests;
    expect(request?.method).toBe('POST');
    expect(request?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(request?.body ?? '')).toEqual({ signals: all });
    expect(request?.headers).not.toHaveProperty('cookie');
    expect(JSON.stringify(request)).not.toContain('secret');
  });
});

describe('the lookup is unavailable for', () => {
  test.each([undefined, '', 'http://127.0.0.1/devices', 'devices', 'https://', 'file:///etc/passwd'])(
    'the endpoint %j, immediately',
    async (url) => {
      expect(await deviceLookup(url)(signals)).toBeUndefined();
    },
  );

  test('a plain-HTTP endpoint, without a connection', async () => {
    let connections = 0;
    const port = await listen(createTcpServer(() => (connections += 1)));
    expect((await lookUp(`http://127.0.0.1:${port}/`)).found).toBeUndefined();
    expect(connections).toBe(0);
  });

  test('an untrusted certificate', async () => {
    const { url, requests } = await service(id('x'), untrusted);
    expect((await lookUp(url)).found).toBeUndefined();
    expect(requests).toHaveLength(0);
  });

  test.each<[string, Answer]>([
    ['500', json('{"deviceId":"x"}', 500)],
    ['204', (response) => void response.writeHead(204).end()],
    ['HTML', json('<p>x</p>', 200, 'text/html')],
    ['JSON without a content type', (response) => void response.end('{"deviceId":"x"}')],
    ['a content type that starts like JSON', json('{"deviceId":"x"}', 200, 'application/jsonp')],
    ['malformed JSON', json('{"deviceId":"x"')],
    ['deeply nested JSON', json('['.repeat(16_000))],
    [
      'invalid UTF-8',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(Buffer.from('{"deviceId":"x","name":"\xff"}', 'latin1'));
      },
    ],
    ['null', json('null')],
    ['an id from the prototype', json('{"__proto__":{"deviceId":1}}')],
    ['a numeric id', id(7)],
    ['an empty id', id('')],
    ['an id of 129 characters', id('x'.repeat(129))],
    ['an id with a line break', id('x\r\nset-cookie: a=b')],
    ['an id with a space', id('x y')],
    ['an id with non-ASCII letters', id('gerät')],
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
    const { url } = await service(answer);
    const { found, tookMs } = await lookUp(url);
    expect(found).toBeUndefined();
    expect(tookMs).toBeLessThan(timeoutMs / 2);
  });

  test.each([301, 308])('a %i redirect, which is not followed', async (status) => {
    const target = await service(id('x'));
    const { url } = await service(
      (response) => void response.writeHead(status, { location: target.url }).end(),
    );
    expect((await lookUp(url)).found).toBeUndefined();
    expect(target.requests).toHaveLength(0);
  });
});

describe('a response of 50 MB is refused while it is read', () => {
  const megabytes = 50;

  /** Sends as fast as the client reads, and counts the bytes sent. */
  function flood(headers: Record<string, string>, status = 200) {
    const sent = { bytes: 0 };
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const answer: Answer = (response) => {
      response.writeHead(status, headers);
      const more = () => {
        while (sent.bytes < megabytes * 1024 * 1024 && !response.destroyed) {
          sent.bytes += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    };
    return { answer, sent };
  }

  test.each<[string, Record<string, string>, number]>([
    [
      'announced',
      { 'content-type': 'application/json', 'content-length': String(megabytes * 1024 * 1024) },
      200,
    ],
    ['in chunks', { 'content-type': 'application/json' }, 200],
    ['with a 500', { 'content-type': 'application/json' }, 500],
  ])(
    '%s, and its connection is closed immediately',
    async (_, headers, status) => {
      const { answer, sent } = flood(headers, status);
      const { url, idle } = await service(answer);
      // Longer than the test, so that the timeout does not close it.
      expect((await lookUp(url, 60_000)).found).toBeUndefined();
      await idle();
      // The buffers of the sockets, not the whole response.
      expect(sent.bytes).toBeLessThan((megabytes / 2) * 1024 * 1024);
    },
    5000,
  );
});

describe('the timeout covers the whole lookup, including', () => {
  const head = { 'content-type': 'application/json' };

  async function expectEnd(url: string) {
    const { found, tookMs } = await lookUp(url, shortMs);
    expect(found).toBeUndefined();
    expect(tookMs).toBeGreaterThanOrEqual(shortMs - 5);
    expect(tookMs).toBeLessThan(timeoutMs / 2);
  }

  test.each<[string, Answer]>([
    ['a response that never starts', () => {}],
    [
      'a response that stops in the middle',
      (response) => void response.writeHead(200, head).write('{"deviceId":'),
    ],
    [
      'a response that trickles forever',
      (response) => {
        response.writeHead(200, head);
        const timer = setInterval(() => response.write(' '), 10);
        response.on('close', () => clearInterval(timer));
      },
    ],
    [
      'headers that trickle forever',
      ({ socket }) => {
        socket?.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket?.write('x: y\r\n'), 10);
        socket?.on('close', () => clearInterval(timer));
      },
    ],
  ])('%s, and its connection is closed', async (_, answer) => {
    const { url, idle } = await service(answer);
    await expectEnd(url);
    await idle();
  });
});
