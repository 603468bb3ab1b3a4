import { once } from 'node:events';
import { createServer } from 'node:http';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { sfn } from '../../../../../functions/shared/lambda/executions.ts';
import { limitAttempts } from '../../../../../functions/shared/runtime/attempt-limit.ts';
import { dynamodb } from '../../../../../functions/shared/table/table.ts';
import { secretsManager } from '../../../../../functions/subscriptions/stripe/keys.ts';

/** A service whose responses stop after the headers. */
let requests = 0;
const stalled = createServer((_, response) => {
  requests += 1;
  response.writeHead(200, { 'content-length': 100 }).flushHeaders();
});
let endpoint: string;

beforeAll(async () => {
  stalled.listen(0, '127.0.0.1');
  await once(stalled, 'listening');
  const address = stalled.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  endpoint = `http://127.0.0.1:${address.port}`;
});

beforeEach(() => {
  requests = 0;
});

afterAll(() => {
  vi.unstubAllEnvs();
  // The files after this one must not get the mailer of this file.
  vi.resetModules();
  stalled.closeAllConnections();
  stalled.close();
});

test.each([1, 2])('a stalled response is tried as often as the client allows: %i', async (maxAttempts) => {
  const client = new SecretsManagerClient({ endpoint, maxAttempts, requestHandler: { requestTimeout: 50 } });
  const call = limitAttempts(client, 100).send(new GetSecretValueCommand({ SecretId: 'one' }));
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(requests).toBe(maxAttempts);
});

test('a response whose headers come after the limit fails', async () => {
  const late = createServer((_, response) => setTimeout(() => response.end('{}'), 100)).listen(
    0,
    '127.0.0.1',
  );
  await once(late, 'listening');
  const { port } = late.address() as { port: number };
  const client = new SecretsManagerClient({ endpoint: `http://127.0.0.1:${port}`, maxAttempts: 1 });
  const call = limitAttempts(client, 10).send(new GetSecretValueCommand({ SecretId: 'one' }));
  await expect(call).rejects.toThrow('not complete after 10 ms');
  client.destroy();
  late.close();
});

test('the clients of the table, the timers and the secrets have the limit', () => {
  for (const client of [dynamodb, sfn, secretsManager])
    expect(client.middlewareStack.identify().join()).toContain('attemptLimit');
});
