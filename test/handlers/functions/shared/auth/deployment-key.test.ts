import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
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

let listening: Listening | undefined;

/** Secrets Manager. @returns its port. */
async function start(): Promise<number> {
  listening = await listen(createServer(secretsEndpoint(secrets)), 0);
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

  test.each(['short', 'empty'])('is refused for a secret that is %s', async (name) => {
    const { deploymentKey } = await freshProcess(await start(), name);
    await expect(deploymentKey('proofs')).rejects.toThrow('too short');
    await expect(deploymentKey('codes')).rejects.toThrow('too short');
  });
});

test('while Secrets Manager is unavailable, no proof is accepted, refused or counted', async () => {
  const account = await (await ordinaryProcess()).vaultAccount();
  await freshProcess(await closedPort());
  const { Account } = await import('../../../../support/devices/accounts.ts');
  for (const authHash of [account.authHash, 'f'.repeat(64)]) {
    expect((await new Account(account.with({ authHash })).readVault()).status).toBe(500);
  }
  expect(await getItem(keys.rateLimit('wrong-proof', account.userId))).toBeUndefined();
  const afterwards = await ordinaryProcess();
  expect((await new afterwards.Account(account).readVault()).status).toBe(200);
});

test('a proof stored under another secret is refused, so that the table alone opens nothing', async () => {
  const account = await (await ordinaryProcess()).vaultAccount();
  await freshProcess(await start(), 'another');
  const { Account } = await import('../../../../support/devices/accounts.ts');
  expect((await new Account(account).readVault()).status).toBe(401);
  const afterwards = await ordinaryProcess();
  expect((await new afterwards.Account(account).readVault()).status).toBe(200);
});
