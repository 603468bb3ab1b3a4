import { createServer, type Server } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { generate } from 'selfsigned';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { localHash } from '../../../functions/devices/device-id.ts';
import { listen } from '../../../lib/local/listen.ts';
import { freshAddress } from '../../support/call.ts';

// Loaded anew: a handler reads once where its look-up is.
let call: typeof import('../../support/call.ts').call;
const trustedBefore = getCACertificates('default');
let service: Server;
let answers: (n: number) => string | undefined;
const asked: unknown[] = [];

beforeAll(async () => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  setDefaultCACertificates([...trustedBefore, cert]);
  service = createServer({ cert, key }, async (request, response) => {
    asked.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
    const deviceId = answers(asked.length);
    response.writeHead(deviceId === undefined ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ deviceId }));
  });
  process.env.DEVICE_PROFILING_URL = (await listen(service, 0)).url.replace('http:', 'https:');
  vi.resetModules();
  ({ call } = await import('../../support/call.ts'));
});

afterEach(() => vi.restoreAllMocks());

afterAll(async () => {
  delete process.env.DEVICE_PROFILING_URL;
  setDefaultCACertificates(trustedBefore);
  vi.resetModules();
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
});

beforeEach(() => {
  // No look-up times out, on a slow machine either.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  answers = (n) => `profiled-${n}`;
  asked.length = 0;
});

const check = (signals: object, sourceIp = freshAddress()) =>
  call('devices.check', { body: { userId: 'user-1', signals }, sourceIp });

test('without a clientDeviceUUID the look-up names the device, and is told the signals only', async () => {
  const { body } = await check({ platform: 'Win32', x: 1 });
  expect(body.deviceId).toBe('profiled-1');
  expect(asked).toEqual([{ signals: { platform: 'Win32' } }]);
});

test('with one it is not asked', async () => {
  expect((await check({ clientDeviceUUID: 'u' })).body.deviceId).toBe('client-u');
  expect(asked).toEqual([]);
});

test('when it fails, the signals are hashed', async () => {
  answers = () => undefined;
  expect((await check({ platform: 'Win32' })).body.deviceId).toBe(localHash({ platform: 'Win32' }));
  expect(asked).toHaveLength(1);
});

test('a caller over the limit causes no look-up: 60 at once cause 20, and those after them none', async () => {
  const sourceIp = freshAddress();
  const burst = await Promise.all(Array.from({ length: 60 }, () => check({ platform: 'Win32' }, sourceIp)));
  expect(burst.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(asked).toHaveLength(20);
  expect((await check({ platform: 'Win32' }, sourceIp)).status).toBe(429);
  expect(asked).toHaveLength(20);
});

test('a request that is refused for its form causes none', async () => {
  expect((await check({ platform: 1 })).status).toBe(400);
  expect(asked).toEqual([]);
});
