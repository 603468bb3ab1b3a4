import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { call, freshAddress } from '../../../support/call.ts';
import {
  type Account,
  proofOf,
  readVault,
  trustedAccount,
  vaultPayload,
  writeVault,
} from '../../../support/devices/accounts.ts';
import { accountWithKey, accountWithToken, dpopProof } from '../../../support/devices/device-keys.ts';
import { countCalls, roundTrips } from '../../../support/faults.ts';

const get = 'GetItemCommand';
const update = 'UpdateItemCommand';
const transact = 'TransactWriteItemsCommand';
/** The reads of authentication, concurrent with the rate limit check: device, user, proof and three counts of wrong proofs. */
const authentication = [update, get, get, get, get, get, get].sort();
/** An address from which the proof is presented for the first time within a day. */
const known = '198.51.100.7';
/** The head of a vault, and beside it the bytes of the address and of the user. */
const headAndCounts = [get, update, update];
const wrong = 'f'.repeat(64);
let account: Account;

beforeAll(async () => {
  account = await trustedAccount();
  await writeVault(account);
  await readVault(account, { sourceIp: known });
});

test('reading a vault of ordinary size takes two round trips', async () => {
  expect(await roundTrips(() => readVault(account, { sourceIp: known }))).toEqual([authentication, [get]]);
});

test('an address from which the proof was not presented before is recorded beside the read', async () => {
  expect(await roundTrips(() => readVault(account))).toEqual([authentication, [get, update].sort()]);
});

test('the proof of a device costs a token no call, and a signed proof one write beside the reads', async () => {
  const { account: holder, deviceToken } = await accountWithToken();
  const token = { ...proofOf(holder), 'x-device-token': deviceToken };
  await writeVault(holder, {}, { headers: token });
  await readVault(holder, { headers: token, sourceIp: known });
  expect(await roundTrips(() => readVault(holder, { headers: token, sourceIp: known }))).toEqual([
    authentication,
    [get],
  ]);

  const { account: signer, key } = await accountWithKey();
  const signed = async () => ({
    ...proofOf(signer),
    dpop: await dpopProof(key, { method: 'GET', path: '/api/vault' }),
  });
  const body = JSON.stringify({ userId: signer.userId, ...vaultPayload });
  const dpop = await dpopProof(key, { method: 'POST', path: '/api/vault', body });
  await call('vault.write', { body, headers: { ...proofOf(signer), dpop } });
  await readVault(signer, { headers: await signed(), sourceIp: known });
  const headers = await signed();
  // The limit is counted while the signature is verified, which takes no call.
  const calls = await countCalls(() => readVault(signer, { headers, sourceIp: known }));
  expect(calls.sort()).toEqual([...authentication, update, get].sort());
});

test('reading a vault in parts takes three round trips, with concurrent reads of the parts', async () => {
  const large = await trustedAccount();
  await writeVault(large, { data_blob: randomBytes(1024 * 1024).toString('base64') });
  await readVault(large, { sourceIp: known });
  expect(await roundTrips(() => readVault(large, { sourceIp: known }))).toEqual([
    authentication,
    [get],
    [get, get],
  ]);
});

test('writing a vault of any size takes three round trips', async () => {
  const writer = await trustedAccount();
  await writeVault(writer);
  await readVault(writer, { sourceIp: known });
  for (const [version, bytes] of [10, 1024 * 1024, 10].entries()) {
    const data_blob = randomBytes(bytes).toString('base64');
    const asked = await roundTrips(() =>
      writeVault(writer, { data_blob, version: version + 1 }, { sourceIp: known }),
    );
    expect(asked).toEqual([authentication, headAndCounts, [transact]]);
  }
});

test('a conflict takes two round trips and writes only the counts of requests and bytes', async () => {
  expect(await roundTrips(() => writeVault(account, { version: 7 }, { sourceIp: known }))).toEqual([
    authentication,
    headAndCounts,
  ]);
});

test('a missing vault, an untrusted device or a malformed proof takes one round trip', async () => {
  const newcomer = await trustedAccount();
  expect(await roundTrips(() => readVault(newcomer))).toEqual([authentication]);
  expect(await roundTrips(() => readVault({ ...account, deviceId: 'client-stranger' }))).toEqual([
    authentication,
  ]);
  expect(await roundTrips(() => readVault({ ...account, authHash: 'wrong' }))).toEqual([authentication]);
});

test('a wrong proof writes its two counts, per address and in total, and nothing else', async () => {
  const calls = await countCalls(() => readVault({ ...account, authHash: wrong }));
  expect(calls.sort()).toEqual([...authentication, update, update].sort());
});

test('a locked address causes no further write, whether its proof is correct or wrong', async () => {
  const locked = await trustedAccount();
  await writeVault(locked);
  const sourceIp = freshAddress();
  for (let i = 0; i < 10; i += 1) await readVault({ ...locked, authHash: wrong }, { sourceIp });
  for (const authHash of [wrong, locked.authHash]) {
    const calls = await roundTrips(() => readVault({ ...locked, authHash }, { sourceIp }));
    expect(calls).toEqual([authentication]);
  }
});

test('a flood over the limit causes no call after the first refusal', async () => {
  const sourceIp = freshAddress();
  for (let i = 0; i < 11; i += 1) await writeVault(account, { version: 7 }, { sourceIp });
  const flood = async () => {
    for (let i = 0; i < 20; i += 1) await writeVault(account, { version: 7 }, { sourceIp });
  };
  expect(await countCalls(flood)).toEqual([]);
});
