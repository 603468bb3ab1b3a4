import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Network, send, systemNetwork } from '../../../../../functions/webhooks/deliveries/sender.ts';
import { certificate, key } from './certificate.ts';

const servers: Server[] = [];
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
});

async function listening<T extends Server>(server: T): Promise<number> {
  servers.push(server);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

const http = (listener: RequestListener) => listening(createHttpServer(listener));
/** The network of the local stack, where receivers of tests can listen. */
const local: Network = { ...systemNetwork(true), limitMs: 400 };
/** The network of a deployment, with another name server. */
const deployed = (...addresses: string[]): Network => ({
  ...systemNetwork(false),
  resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  limitMs: 400,
});

const post = (url: string, network: Network = local) =>
  send({ url, headers: { 'content-type': 'application/json' }, body: '{}' }, network);
const postTo = (port: number, network?: Network) => post(`http://127.0.0.1:${port}/hooks`, network);

describe('a receiver that answers', () => {
  test('gets the body and the headers as given, and is named in Host', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const port = await http(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      const { method, url, headers } = request;
      resolve({ method, url, body, ...headers });
      response.end('thanks');
    });
    const answer = await send(
      { url: `http://localhost:${port}/hooks?a=1`, headers: { 'webhook-id': 'evt_1' }, body: '{"ä":1}' },
      local,
    );
    expect(answer).toMatchObject({ status: 200, body: 'thanks' });
    expect(await promise).toEqual({
      method: 'POST',
      url: '/hooks?a=1',
      body: '{"ä":1}',
      host: `localhost:${port}`,
      connection: 'close',
      'content-length': '8',
      'webhook-id': 'evt_1',
    });
  });

  test.each([301, 308])('a redirect, %d, is not followed', async (status) => {
    let requests = 0;
    const port = await http((_, response) => {
      requests += 1;
      response.writeHead(status, { location: 'http://169.254.169.254/latest/meta-data' }).end();
    });
    expect(await postTo(port)).toMatchObject({ status, error: 'redirect' });
    expect(requests).toBe(1);
  });

  test('a compressed answer is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(5 * 1024 * 1024));
    const port = await http((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const { status, body = '' } = await postTo(port);
    expect(status).toBe(200);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1_024);
  });

  test('an endless answer is read for 64 KB, and its connection is closed', async () => {
    let sent = 0;
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const port = await http((_, response) => {
      const chunk = Buffer.alloc(16 * 1024, 'a');
      const pump = () => {
        while (sent < 500 * 1024 * 1024 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return;
        }
      };
      response.on('drain', pump).on('close', resolve);
      pump();
    });
    expect(await postTo(port)).toMatchObject({ status: 200, body: 'a'.repeat(1_024) });
    await closed;
    // Buffers of the operating systems are sent, and not read.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });
});

describe('a receiver that does not answer', () => {
  test.each<[string, string, (socket: Socket) => void]>([
    ['accepts and is silent', 'timeout', () => undefined],
    ['resets the connection', 'connection', (socket) => socket.resetAndDestroy()],
    ['does not speak HTTP', 'protocol', (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
  ])('and %s is a %s', async (_, error, onRequest) => {
    const port = await listening(
      createTcpServer((socket) => void socket.once('data', () => onRequest(socket))),
    );
    expect(await postTo(port)).toEqual({ error, durationMs: expect.any(Number) });
  });

  test.each<[string, string, () => ReturnType<Network['resolve']>]>([
    ['is not resolved', 'dns', () => Promise.reject(new Error('ENOTFOUND'))],
    ['has no address', 'dns', async () => []],
    ['takes too long to resolve', 'timeout', () => new Promise<never>(() => undefined)],
  ])('because its name %s is a %s', async (_, error, resolve) => {
    expect(await post('https://hooks.example/', { ...local, resolve })).toMatchObject({ error });
  });
});

describe('TLS', () => {
  const tls = (listener: RequestListener) =>
    listening(createHttpsServer({ key, cert: certificate }, listener));
  const toLoopback = async () => [{ address: '127.0.0.1', family: 4 }];
  const trusting: Network = { ...local, resolve: toLoopback, connection: { ca: certificate } };

  test('the certificate is verified for the name, not for the address that is connected to', async () => {
    const port = await tls((_, response) => response.end('ok'));
    expect(await post(`https://hooks.example:${port}/`, trusting)).toMatchObject({ status: 200 });
  });

  test('a certificate of another name fails', async () => {
    const port = await tls((_, response) => response.end('ok'));
    expect(await post(`https://other.example:${port}/`, trusting)).toMatchObject({ error: 'tls' });
  });

  test('a certificate that nobody trusts fails, whatever the environment says', async () => {
    const port = await tls((_, response) => response.end('ok'));
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      const untrusting = { ...local, resolve: toLoopback };
      expect(await post(`https://hooks.example:${port}/`, untrusting)).toMatchObject({ error: 'tls' });
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });
});

describe('a request that must not be sent', () => {
  test.each([
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[fd00:ec2::254]/',
  ])('%s is refused', async (url) => {
    expect(await post(url, deployed('93.184.215.14'))).toMatchObject({ error: 'refused_address' });
  });

  test.each([
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['fe80::1%eth0'],
    ['169.254.169.254'],
    ['93.184.215.14', '10.0.0.1'],
    ['2606:4700::1111', 'fd00::1'],
  ])('a name with the address %s is refused, whatever its other addresses are', async (...addresses) => {
    let isReached = false;
    const port = await http((_, response) => {
      isReached = true;
      response.end();
    });
    expect(await post(`https://hooks.example:${port}/`, deployed(...addresses))).toMatchObject({
      error: 'refused_address',
    });
    expect(isReached).toBe(false);
  });

  test('a name is resolved once for each attempt, and every resolution is checked', async () => {
    const port = await http((_, response) => response.end());
    const answers = ['127.0.0.1', '169.254.169.254'];
    let resolutions = 0;
    const rebinding: Network = {
      ...local,
      resolve: async () => [{ address: answers[resolutions++] ?? '', family: 4 }],
    };
    expect(await post(`http://hooks.example:${port}/`, rebinding)).toMatchObject({ status: 200 });
    expect(resolutions).toBe(1);
    expect(await post(`http://hooks.example:${port}/`, rebinding)).toMatchObject({
      error: 'refused_address',
    });
    expect(resolutions).toBe(2);
  });

  test('plain HTTP goes to this machine alone, also on the local stack', async () => {
    const resolve = async () => [{ address: '93.184.215.14', family: 4 }];
    expect(await post('http://hooks.example:8080/', { ...local, resolve })).toMatchObject({
      error: 'refused_address',
    });
  });
});
