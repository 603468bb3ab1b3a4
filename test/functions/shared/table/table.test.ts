import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

/** A table that accepts every request and answers none. */
const sockets: Socket[] = [];
let requests = 0;
const stalled = createServer((socket) => {
  sockets.push(socket);
  socket.on('data', (bytes) => {
    if (bytes.includes('POST / HTTP/1.1')) requests += 1;
  });
});
const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB;

beforeAll(async () => {
  stalled.listen(0, '127.0.0.1');
  await once(stalled, 'listening');
  const address = stalled.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  process.env.AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${address.port}`;
  // A client keeps its first endpoint, and after the reset the connection is the SDK's own.
  vi.resetModules();
});

afterAll(() => {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
  vi.resetModules();
  for (const socket of sockets) socket.destroy();
  stalled.close();
});

test('tries a stalled table three times, and gives up long before the function times out', async () => {
  const { call } = await import('../../../support/call.ts');
  const startedMs = performance.now();
  const answer = await call('shares.open', { query: { id: `m${'A'.repeat(22)}` } });
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({ error: 'Retrieval failed' });
  expect(requests).toBe(3);
  expect(performance.now() - startedMs).toBeLessThan(9_000);
});
