/** Attacks on what a request costs: storing vaults over and over. */

import * as keys from '../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { vaultByteLimit } from '../../../../functions/vault/routes.ts';
import { freshAddress, putItem } from '../../../support/call.ts';
import { trustedAccount } from '../../../support/devices/accounts.ts';

const hourStart = Date.parse('2026-03-01T10:00:00Z');
const { group, maxBytes } = vaultByteLimit;
const data_blob = Buffer.alloc(3_000, 7).toString('base64');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: hourStart + 20 * 60_000 });
});
const haveStored = (counted: string, bytes: number) =>
  putItem({ ...keys.byteLimit(group, counted, hourStart), bytes });
const countOf = async (counted: string) => (await getItem(keys.byteLimit(group, counted, hourStart)))?.bytes;

test('one address stores at most 300 MB an hour, for any number of users', async () => {
  const sourceIp = freshAddress();
  await haveStored(`address ${sourceIp}`, maxBytes - 2 * data_blob.length);
  const statuses = [];
  for (let i = 0; i < 3; i += 1)
    statuses.push((await (await trustedAccount()).writeVault({ data_blob }, { sourceIp })).status);
  expect(statuses).toEqual([200, 200, 429]);
});

test('one user stores at most 300 MB an hour, from any number of addresses', async () => {
  const account = await trustedAccount();
  await haveStored(`user ${account.userId}`, maxBytes - 2 * data_blob.length);
  const statuses = [];
  for (let version = 0; version < 3; version += 1)
    statuses.push((await account.writeVault({ data_blob, version })).status);
  expect(statuses).toEqual([200, 200, 429]);
  const refused = await account.writeVault({ data_blob, version: 2 });
  expect(refused.body).toEqual({ error: 'Too many requests' });
  expect(refused.headers['retry-after']).toBe('2400');
  expect((await account.readVault()).body.version).toBe(2);
  vi.setSystemTime(hourStart + 60 * 60_000);
  expect((await account.writeVault({ data_blob, version: 2 })).status).toBe(200);
});

test('writes of a stranger use up nothing of what the user may store', async () => {
  const account = await trustedAccount();
  await account.writeVault({ data_blob });
  const before = await countOf(`user ${account.userId}`);
  for (const stranger of [
    account.with({ authHash: 'f'.repeat(64) }),
    account.with({ deviceId: 'client-stranger' }),
  ])
    expect((await stranger.writeVault({ data_blob, version: 1 })).status).toBeGreaterThanOrEqual(401);
  expect(await countOf(`user ${account.userId}`)).toBe(before);
});
