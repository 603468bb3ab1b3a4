import { createServer, type Server } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { hashSignals } from '../../../../functions/devices/identification/device-id.ts';
import { listen } from '../../../../lib/local/listen.ts';
import { freshAddress } from '../../../support/call.ts';
import { loopbackCertificate } from '../../../support/certificate.ts';

// Imported again, because a handler reads the URL of the service once.
let call: typeof import('../../../support/call.ts').call;
const trustedBefore = getCACertificates('default');
let service: Server;
let responses: (n: number) => string | undefined;
const lookups: unknown[] = [];

beforeAll(async () => {
  const { cert, private: key } = await loopbackCertificate();
  setDefaultCACertificates([...trustedBefore, cert]);
  service = createServer({ cert, key }, async (request, response) => {
    lookups.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
    const deviceId = responses(lookups.length);
    response.writeHead(deviceId === undefined ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ deviceId }));
  });
  // On a busy machine a lookup must not count as unavailable. profiling.test.ts tests the timeout itself.
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(20 * ms));
  process.env.DEVICE_PROFILING_URL = (await listen(service, 0)).url.replace('http:', 'https:');
  vi.resetModules();
  // A slow machine must not time out a count: it would be sent again, and count twice.
  await import('../../../support/table/table-connection.ts');
  ({ call } = await import('../../../support/call.ts'));
});

afterEach(() => vi.restoreAllMocks());

afterAll(async () => {
  vi.restoreAllMocks();
  delete process.env.DEVICE_PROFILING_URL;
  setDefaultCACertificates(trustedBefore);
  vi.resetModules();
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
});

beforeEach(() => {
  // No look-up times out, on a slow machine either.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  responses = (n) => `profiled-${n}`;
  lookups.length = 0;
});

const check = (signals: object, sourceIp = freshAddress()) =>
  call('devices.check', { body: { userId: 'user-1', signals }, sourceIp });

test('the lookup identifies a device without a clientDeviceUUID, and receives only the signals', async () => {
  const { body } = await check({ platform: 'Win32', x: 1 });
  expect(body.deviceId).toBe('profiled-1');
  expect(lookups).toEqual([{ signals: { platform: 'Win32' } }]);
});

test('the lookup is not called for a device with a clientDeviceUUID', async () => {
  expect((await check({ clientDeviceUUID: 'u' })).body.deviceId).toBe('client-u');
  expect(lookups).toEqual([]);
});

test('the signals are hashed when the lookup fails', async () => {
  responses = () => undefined;
  expect((await check({ platform: 'Win32' })).body.deviceId).toBe(hashSignals({ platform: 'Win32' }));
  expect(lookups).toHaveLength(1);
});

test('a caller over the limit causes no lookup, concurrently or later', async () => {
  const sourceIp = freshAddress();
  const burst = await Promise.all(Array.from({ length: 60 }, () => check({ platform: 'Win32' }, sourceIp)));
  expect(burst.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(lookups).toHaveLength(20);
  expect((await check({ platform: 'Win32' }, sourceIp)).status).toBe(429);
  expect(lookups).toHaveLength(20);
});
