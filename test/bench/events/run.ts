/**
 * Starts a local stack with receivers of webhooks, records events, and prints the measurements as JSON.
 *
 * Runs in a process of its own, because a stack changes the clock and the environment of its process. The receivers are
 * in this process too: they take a part of the time that is measured.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStack } from '../../../lib/local/stack.ts';
import { ask } from '../load/load.ts';
import type { EventsPlan, EventsRun } from './plan.ts';

const plan = JSON.parse(process.argv[2] ?? '{}') as EventsPlan;
const { applications, endpoints, dead, eventsOfApplication, perSecond } = plan;
const maxWaitSeconds = 120;

const stack = await startStack({ port: 0, dataDir: ':memory:', env: {}, log: () => undefined });
// The SDK clients take their endpoint from the environment of the stack.
const { eventWrites } = await import('../../../functions/shared/events/events-write.ts');
const { transactWrite } = await import('../../../functions/shared/table/table.ts');

/** When each event was committed, and what each receiver has got. */
const committedAt = new Map<number, number>();
const received = Array.from({ length: endpoints }, () => new Set<string>());
const delays: number[] = [];
const isDead = (endpoint: number) => endpoint < dead;
const hangs = (endpoint: number) => isDead(endpoint) && endpoint % 3 === 0;
const refuses = (endpoint: number) => isDead(endpoint) && endpoint % 3 === 1;

const servers: Server[] = [];
for (let endpoint = 0; endpoint < endpoints; endpoint += 1) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      if (hangs(endpoint)) return;
      if (isDead(endpoint)) return response.writeHead(503).end();
      const { id, data } = JSON.parse(body) as { id: string; data: { n: number } };
      const known = received[endpoint];
      const at = committedAt.get(data.n);
      if (known !== undefined && !known.has(id)) {
        known.add(id);
        if (at !== undefined) delays.push(performance.now() - at);
      }
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
}

const send = (method: string, path: string, bearer: string, body?: unknown) =>
  ask(
    stack.url,
    { method, path, headers: { authorization: `Bearer ${bearer}` }, body },
    { localAddress: '127.0.0.1' },
  );

try {
  const { operatorKey } = await send('GET', '/_local/demo', '');
  const owners: string[] = [];
  for (let a = 0; a < applications; a += 1) {
    const body = { name: 'Bench', redirectUris: ['https://app.example/'], settings: {} };
    const { application, apiKey } = await send('POST', '/api/operator/applications', operatorKey, body);
    owners.push(application._id);
    for (let e = a; e < endpoints; e += applications) {
      const server = servers[e] as Server;
      const { port } = server.address() as AddressInfo;
      if (refuses(e)) server.close();
      await send('POST', '/api/v1/webhooks', apiKey, { url: `http://127.0.0.1:${port}/`, types: ['*'] });
    }
  }
  const expected = received.map((_, e) => (isDead(e) ? 0 : eventsOfApplication));
  const total = expected.reduce((sum, count) => sum + count, 0);
  const startedAt = performance.now();
  let next = 0;
  const writing = async () => {
    for (let n = next++; n < applications * eventsOfApplication; n = next++) {
      const applicationId = owners[n % applications] ?? '';
      if (perSecond !== undefined) await sleep(startedAt + (n / perSecond) * 1_000 - performance.now());
      const event = { type: 'payment.received', sequence: 1, data: { n, text: 'x'.repeat(1_000) } };
      await transactWrite(eventWrites({ applicationId, nowMs: Date.now() }, [event]));
      committedAt.set(n, performance.now());
    }
  };
  await Promise.all(Array.from({ length: 8 }, writing));
  const writtenAt = performance.now();
  const count = () => received.reduce((sum, { size }) => sum + size, 0);
  while (count() < total && performance.now() - writtenAt < maxWaitSeconds * 1_000) await sleep(20);
  const endedAt = performance.now();
  const sorted = delays.toSorted((a, b) => a - b);
  const quantile = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
  const result: EventsRun = {
    delivered: count(),
    expected: total,
    writeSeconds: (writtenAt - startedAt) / 1_000,
    seconds: (endedAt - startedAt) / 1_000,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  };
  process.stdout.write(`\n${JSON.stringify(result)}\n`);
} finally {
  for (const server of servers) server.closeAllConnections();
  await stack.stop();
}
process.exit(0);
