import { createHash, randomUUID } from 'node:crypto';
import { alertKey, createAlert } from '../../../functions/devices/alerts/alert.ts';
import { type Device, deviceLimits, type Sighting } from '../../../functions/devices/device.ts';
import { deviceStore } from '../../../functions/devices/store.ts';
import { registeredRoutes } from '../../../functions/routes.ts';
import { copyLeaseMs } from '../../../functions/shared/mail/attempts.ts';
import { secondMs } from '../../../functions/shared/runtime/clock.ts';
import { type Call, call, putItem } from '../../support/call.ts';
import { newAccount, requestCode, trustedAccount, vaultPayload } from '../../support/devices/accounts.ts';
import { sharePayload } from '../../support/samples/requests.ts';
import { accountCases } from './account.ts';
import { type Case, row, sampled } from './case.ts';
import { consoleCases } from './console.ts';
import { financeCases } from './finance.ts';
import { linkCases } from './links.ts';
import { oauthCases } from './oauth.ts';
import { operatorCases } from './operator.ts';
import { stepCases } from './steps.ts';
import { subscriptionCases } from './subscriptions.ts';
import { webhookCases } from './webhooks.ts';

const kib = 1024;
const blob = (bytes: number) => ({ data_blob: Buffer.alloc(bytes, 7).toString('base64') });
async function opened(body: Record<string, unknown>): Promise<Call> {
  const created = await call('shares.create', { body: { ...sharePayload, ...body } });
  return { query: { id: created.body.shareId } };
}
const shareProof = 'A'.repeat(43);
const access_proof = createHash('sha256').update(shareProof).digest('hex');
async function proven(body: Record<string, unknown>, proof = shareProof): Promise<Call> {
  const { query = {} } = await opened({ ...body, access_proof });
  return { query, headers: { 'x-share-proof': proof } };
}

const shares: Case[] = [
  row('shares.create', 'small', () => ({ body: sharePayload })),
  row('shares.create', '100 KiB', () => ({ body: { ...sharePayload, ...blob(100 * kib) } })),
  row('shares.create', '1 MiB', () => ({ body: { ...sharePayload, ...blob(kib * kib) } })),
  row('shares.open', 'once', () => opened({})),
  row('shares.open', 'repeated', () => opened({ one_time: false })),
  row('shares.open', 'once, 100 KiB', () => opened(blob(100 * kib))),
  row('shares.open', 'repeated, 100 KiB', () => opened({ ...blob(100 * kib), one_time: false })),
  row('shares.open', 'once, 1 MiB', () => opened(blob(kib * kib))),
  row('shares.open', 'repeated, 1 MiB', () => opened({ ...blob(kib * kib), one_time: false })),
  row('shares.create', 'small, receipt', () => ({ body: { ...sharePayload, receipt: true } })),
  row('shares.create', '100 KiB, receipt', () => ({
    body: { ...sharePayload, ...blob(100 * kib), receipt: true },
  })),
  row('shares.create', '1 MiB, receipt', () => ({
    body: { ...sharePayload, ...blob(kib * kib), receipt: true },
  })),
  row('shares.open', 'once, proof', () => proven({})),
  row('shares.open', 'wrong proof', () => proven({}, 'B'.repeat(43)), 403),
  // The largest share whose payload is in its head: each wrong proof writes all of it.
  row('shares.open', 'wrong proof, 16 KiB', () => proven(blob(16 * kib), 'B'.repeat(43)), 403),
  row('shares.open', 'once, 100 KiB, proof', () => proven(blob(100 * kib))),
  row('shares.open', 'repeated, proof', () => proven({ one_time: false })),
  row('shares.open', 'repeated, 100 KiB, proof', () => proven({ ...blob(100 * kib), one_time: false })),
  row('shares.open', 'first of 2 views', () => opened({ max_views: 2 })),
  row('shares.open', 'first of 2 views, 100 KiB', () => opened({ ...blob(100 * kib), max_views: 2 })),
  row('shares.open', 'once, receipt', () => opened({ receipt: true })),
  row('shares.open', 'once, 100 KiB, receipt', () => opened({ ...blob(100 * kib), receipt: true })),
  row('shares.open', 'once, 1 MiB, proof and receipt', () => proven({ ...blob(kib * kib), receipt: true })),
  sampled('shares.receipt', 'small'),
  sampled('shares.burn', 'small'),
  row('shares.burn', '1 MiB', async () => {
    const { body } = await call('shares.create', {
      body: { ...sharePayload, ...blob(kib * kib), receipt: true },
    });
    return { query: { id: body.shareId }, headers: { 'x-receipt-token': body.receiptToken } };
  }),
];

const checking = ({ userId, uuid }: { userId: string; uuid: string }): Call => ({
  body: { userId, signals: { clientDeviceUUID: uuid } },
});

/** Quarantines `count` devices of a user, last seen long enough ago for a new device to displace them. */
async function manyDevices(userId: string, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const device = { id: `dev_${i}`, userId, deviceId: `client-${randomUUID()}` };
    const atMs = Date.now() - deviceLimits.protectedMs - 1_000 - i;
    await deviceStore.quarantine({ ...device, deviceName: 'Chrome on Windows', os: 'Windows' }, seenAt(atMs));
  }
}

function seenAt(atMs: number): Sighting {
  return { ipAddress: '203.0.113.7', location: 'Amsterdam, Netherlands', isp: 'Example Networks', atMs };
}

async function recognized(): Promise<Call> {
  const account = newAccount();
  const body = { userId: account.userId, signals: { userAgent: account.uuid, language: 'en-GB' } };
  const checked = await call('devices.check', { body });
  const identified = account.with({ deviceId: checked.body.deviceId });
  await identified.verify(await requestCode(identified.email));
  return { body };
}

/** The most that a user has: trusted ones and those in quarantine. */
const mostDevices = deviceLimits.maxPerUser + deviceLimits.maxQuarantined;

const devices: Case[] = [
  row('devices.check', 'trusted', async () => checking(await trustedAccount())),
  row('devices.check', 'trusted, by signals', recognized),
  row('devices.check', 'unknown', () => checking(newAccount())),
  row('devices.check', 'quarantined', async () => {
    const account = newAccount();
    await account.checkIn();
    return checking(account);
  }),
  row('devices.check', 'unknown, 100 others', async () => {
    const account = newAccount();
    await manyDevices(account.userId, deviceLimits.maxPerUser);
    return checking(account);
  }),
  row('devices.check', 'unknown, 400 others', async () => {
    const account = newAccount();
    await manyDevices(account.userId, mostDevices);
    return checking(account);
  }),
  row('devices.code-send', 'any', () => ({ body: { email: newAccount().email } })),
  sampled('devices.trust', 'right'),
  row(
    'devices.trust',
    'wrong',
    async () => {
      const account = newAccount();
      await account.checkIn();
      const code = Number(await requestCode(account.email));
      return account.verification(String((code + 1) % 1_000_000).padStart(6, '0'));
    },
    400,
  ),
  row('devices.list', 'one', async () => ({ query: { userId: (await trustedAccount()).userId } })),
  row('devices.list', '100 devices', async () => {
    const { userId } = newAccount();
    await manyDevices(userId, deviceLimits.maxPerUser);
    return { query: { userId } };
  }),
  row('devices.list', '400 devices', async () => {
    const { userId } = newAccount();
    await manyDevices(userId, mostDevices);
    return { query: { userId } };
  }),
  row('devices.revoke', 'a trusted one', async () => {
    const { userId, deviceId } = await trustedAccount();
    return { query: { userId, deviceHash: deviceId } };
  }),
  row('devices.revoke', 'none', () => ({ query: { userId: 'nobody', deviceHash: 'client-none' } })),
];

/** An account with a vault of `bytes` bytes. */
async function withVault(bytes: number) {
  const account = await trustedAccount();
  await account.writeVault(blob(bytes));
  return account;
}

async function reading(bytes: number, authHash?: string): Promise<Call> {
  const account = await withVault(bytes);
  const headers = account.with({ authHash: authHash ?? account.authHash }).proof;
  return { headers, query: { userId: account.userId } };
}

/** A write of `bytes` bytes. @param over size of the existing vault, if there is one. */
async function writing(bytes: number, over?: number): Promise<Call> {
  const account = await (over === undefined ? trustedAccount() : withVault(over));
  const version = over === undefined ? 0 : 1;
  const body = { ...vaultPayload, ...blob(bytes), iv: 'BBECAwQFBgcICQoL', version };
  return { headers: account.proof, body: { userId: account.userId, ...body } };
}

const small = 200;
const vaults: Case[] = [
  row('vault.read', 'small', () => reading(small)),
  row('vault.read', 'small, wrong proof', () => reading(small, '0'.repeat(64)), 401),
  row('vault.read', '100 KiB', () => reading(100 * kib)),
  row('vault.read', '1 MiB', () => reading(kib * kib)),
  row('vault.read', '3 MiB', () => reading(3 * kib * kib)),
  row('vault.write', 'small, the first', () => writing(small)),
  row('vault.write', 'small', () => writing(small, small)),
  row('vault.write', '100 KiB', () => writing(100 * kib, 100 * kib)),
  row('vault.write', '1 MiB', () => writing(kib * kib, kib * kib)),
  row('vault.write', '3 MiB, the first', () => writing(3 * kib * kib)),
  row('vault.write', '3 MiB', () => writing(3 * kib * kib, 3 * kib * kib)),
];

/** Alerts whose sender was killed, spread evenly over the shards. */
async function dueAlerts(count: number): Promise<undefined> {
  const trustedAtMs = Date.now() - copyLeaseMs(1) - secondMs;
  for (let i = 0; i < count; i += 1) {
    const { userId, deviceId, email } = newAccount();
    const device: Device = {
      id: 'dev_1',
      userId,
      deviceId,
      deviceName: 'Chrome on Windows',
      os: 'Windows',
      isVerified: true,
      ...seenAt(trustedAtMs),
      lastUsedAtMs: trustedAtMs,
      createdAtMs: trustedAtMs,
    };
    const alert = createAlert(
      device,
      { to: email, accountPage: 'https://api.test/account' },
      `${i}${randomUUID()}`,
      trustedAtMs,
    );
    await putItem({ ...alertKey(alert), ...alert });
  }
}

const timers: Case[] = [
  row('devices.send-alerts', 'nothing due', () => undefined),
  row('devices.send-alerts', '10 alerts', () => dueAlerts(10)),
];

/** The routes and timers that do more or less work from case to case. */
const particular: readonly Case[] = [
  ...shares,
  ...devices,
  ...vaults,
  ...linkCases,
  ...oauthCases,
  ...accountCases,
  ...consoleCases,
  ...operatorCases,
  ...subscriptionCases,
  ...financeCases,
  ...webhookCases,
  ...timers,
  ...stepCases,
];

/** Every route that uses the table, and every timer, in the cases that are most and least work. */
export const cases: readonly Case[] = [
  ...particular,
  ...registeredRoutes()
    .filter(({ id, route: { grants } }) => grants.table && !particular.some((one) => one.id === id))
    .map(({ id }) => sampled(id)),
];

/** The first case of a route or timer, which is the usual one. */
export const everyDay = (id: string): Case => cases.find((one) => one.id === id) ?? sampled(id);
