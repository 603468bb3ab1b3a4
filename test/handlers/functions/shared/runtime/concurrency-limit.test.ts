import { once } from 'node:events';
import { createServer } from 'node:http';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expect, test } from 'vitest';
import { limitConcurrency } from '../../../../../functions/shared/runtime/concurrency-limit.ts';

/** A service that answers each request after a time, and counts those that it has not answered. */
async function startService(delayMs: number, status: number) {
  const seen = { now: 0, most: 0, all: 0 };
  const server = createServer((_, response) => {
    seen.all += 1;
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    setTimeout(() => {
      seen.now -= 1;
      response.writeHead(status).end('{"SecretString":"x"}');
    }, delayMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { endpoint: `http://127.0.0.1:${port}`, seen, close: () => server.close() };
}

const command = new GetSecretValueCommand({ SecretId: 'one' });

test('calls beyond the limit wait, and the wait counts for no timeout', async () => {
  const { endpoint, seen, close } = await startService(50, 200);
  const requestHandler = { requestTimeout: 400, throwOnRequestTimeout: true };
  const client = limitConcurrency(new SecretsManagerClient({ endpoint, maxAttempts: 1, requestHandler }), 2);
  // The last of them waits for more than half a second.
  const answers = await Promise.all(Array.from({ length: 24 }, () => client.send(command)));
  expect(answers.map(({ SecretString }) => SecretString)).toEqual(Array(24).fill('x'));
  expect(seen).toEqual({ now: 0, most: 2, all: 24 });
  client.destroy();
  close();
});

test('a call that fails gives its place to the next one', async () => {
  const { endpoint, seen, close } = await startService(0, 400);
  const client = limitConcurrency(new SecretsManagerClient({ endpoint, maxAttempts: 1 }), 1);
  const answers = await Promise.allSettled([1, 2, 3].map(() => client.send(command)));
  expect(answers.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  expect(seen).toEqual({ now: 0, most: 1, all: 3 });
  client.destroy();
  close();
});
