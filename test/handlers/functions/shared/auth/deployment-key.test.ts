import { createHmac } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { type Listening, listen } from '../../../../../lib/local/listen.ts';
import { secretsEndpoint } from '../../../../../lib/local/secrets.ts';

const secret = 's'.repeat(32);
const secrets: Record<string, string> = {
  named: secret,
  another: 't'.repeat(32),
  short: 's'.repeat(31),
  empty: '',
};
const environment = {
  AWS_ENDPOINT_URL_SECRETS_MANAGER: process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER,
  DEPLOYMENT_KEY_SECRET: process.env.DEPLOYMENT_KEY_SECRET,
};

let requestCount = 0;
let server: Server;
let listening: Listening | undefined;

/** A fake Secrets Manager that counts requests, or another endpoint in its place. */
async function start(port = 0, answer: RequestListener = secretsEndpoint(secrets)): Promise<number> {
  server = createServer((request, response) => {
    requestCount += 1;
    answer(request, response);
  });
  listening = await listen(server, port);
  return Number(new URL(listening.url).port);
}

/** A port without a listener. */
async function closedPort(): Promise<number> {
  const port = await start();
  await stop();
  return port;
}

async function stop(): Promise<void> {
  await listening?.close();
  listening = undefined;
}

/** Simulates a new process: a client keeps its first endpoint, and the module caches the secret. */
async function freshProcess(port: number, name = 'named') {
  process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = `http://127.0.0.1:${port}`;
  process.env.DEPLOYMENT_KEY_SECRET = name;
  vi.resetModules();
  return import('../../../../../functions/shared/auth/deployment-key.ts');
}

/** Restores the state shared with all other tests, with their secret. */
async function ordinaryProcess() {
  Object.assign(process.env, environment);
  vi.resetModules();
  return import('../../../../support/devices/accounts.ts');
}

beforeEach(() => {
  requestCount = 0;
});

afterEach(stop);
afterAll(ordinaryProcess);

describe('the deployment key', () => {
  test('is derived with HKDF (RFC 5869), because another derivation would invalidate every stored proof', async () => {
    const { deploymentKey } = await freshProcess(await start());
    for (const purpose of ['codes', 'proofs'] as const) {
      const extracted = createHmac('sha256', Buffer.alloc(32)).update(secret).digest();
      const expanded = createHmac('sha256', extracted).update(`vouchsafe ${purpose}\u0001`).digest();
      expect((await deploymentKey(purpose)).equals(expanded)).toBe(true);
    }
  });

  test('is requested once for any number of concurrent requests and purposes', async () => {
    const { deploymentKey } = await freshProcess(await start());
    const purposes = ['codes', 'proofs'] as const;
    const keys = await Promise.all(
      Array.from({ length: 6 }, (_, i) => deploymentKey(purposes[i % 2] ?? 'codes')),
    );
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(2);
    for (const purpose of purposes) await deploymentKey(purpose);
    expect(requestCount).toBe(1);
  });

  test.each(['short', 'empty'])('is refused for a secret that is %s', async (name) => {
    const { deploymentKey } = await freshProcess(await start(), name);
    await expect(deploymentKey('proofs')).rejects.toThrow('too short');
    await expect(deploymentKey('codes')).rejects.toThrow('too short');
  });

  test('is requested again after a failure, which is not cached', async () => {
    const port = await closedPort();
    const { deploymentKey } = await freshProcess(port);
    const failed = await Promise.allSettled(Array.from({ length: 5 }, () => deploymentKey('proofs')));
    expect(failed.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    requestCount = 0;
    await start(port);
    const keys = await Promise.all(Array.from({ length: 5 }, () => deploymentKey('proofs')));
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
    expect(requestCount).toBe(1);
  });
});

describe('while Secrets Manager is unavailable', () => {
  test('no proof is accepted, refused or counted', async () => {
    const { trustedAccount, writeVault } = await ordinaryProcess();
    const account = await trustedAccount();
    await writeVault(account);
    await freshProcess(await closedPort());
    const { readVault } = await import('../../../../support/devices/accounts.ts');
    for (const authHash of [account.authHash, 'f'.repeat(64)]) {
      expect((await readVault({ ...account, authHash })).status).toBe(500);
    }
    expect(await getItem(keys.rateLimit('wrong-proof', account.userId))).toBeUndefined();
    const afterwards = await ordinaryProcess();
    expect((await afterwards.readVault(account)).status).toBe(200);
  });
});

test('a proof stored under another secret is refused, so that the table alone opens nothing', async () => {
  const { trustedAccount, writeVault } = await ordinaryProcess();
  const account = await trustedAccount();
  await writeVault(account);
  await freshProcess(await start(), 'another');
  const { readVault } = await import('../../../../support/devices/accounts.ts');
  expect((await readVault(account)).status).toBe(401);
  const afterwards = await ordinaryProcess();
  expect((await afterwards.readVault(account)).status).toBe(200);
});
