/** Attacks on what a request costs: reading a share over and over from one address. */

import { randomBytes } from 'node:crypto';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { shareByteLimit } from '../../../../functions/shares/routes.ts';
import { call, freshAddress, putItem } from '../../../support/call.ts';
import * as protectedShares from '../../../support/protected-shares.ts';
import { sharePayload } from '../../../support/samples/requests.ts';

const hourStart = Date.parse('2026-03-01T10:00:00Z');
const now = hourStart + 20 * 60_000;
const { group, maxBytes } = shareByteLimit;
const kib = 1024;
const tooMany = { error: 'Too many requests' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
const created = async (bytes: number, one_time: boolean): Promise<string> => {
  const data_blob = randomBytes(bytes).toString('base64');
  return (await call('shares.create', { body: { ...sharePayload, data_blob, one_time } })).body.shareId;
};
const read = (id: string, sourceIp: string) => call('shares.open', { query: { id }, sourceIp });
const counted = async (sourceIp: string) =>
  Number((await getItem(keys.byteLimit(group, sourceIp, hourStart)))?.bytes ?? 0);
/** Sets the bytes of an address, as another execution environment would have counted them. */
const haveReceived = (sourceIp: string, bytes: number) =>
  putItem({ ...keys.byteLimit(group, sourceIp, hourStart), bytes });

test('a repeatable share of 1 MiB is refused once its address has received 500 MB in the hour', async () => {
  const id = await created(kib * kib, false);
  const sourceIp = freshAddress();
  const { text } = await read(id, sourceIp);
  const size = await counted(sourceIp);
  // Counted are the ciphertext and the metadata as they are sent, without the JSON around them.
  expect(text.length - size).toBeLessThan(200);
  expect(text.length - size).toBeGreaterThanOrEqual(0);

  await haveReceived(sourceIp, maxBytes - 2 * size - 10);
  const statuses = [];
  for (let i = 0; i < 3; i += 1) statuses.push((await read(id, sourceIp)).status);
  expect(statuses).toEqual([200, 200, 429]);
  const refused = await read(id, sourceIp);
  expect(refused.body).toEqual(tooMany);
  expect(refused.headers['retry-after']).toBe('2400');
  expect((await read(id, freshAddress())).status).toBe(200);

  vi.setSystemTime(now + 2_400_000);
  expect((await read(id, sourceIp)).status).toBe(200);
});

test('concurrent readers of one address receive no more than the limit', async () => {
  const id = await created(400 * kib, false);
  const sourceIp = freshAddress();
  await read(id, sourceIp);
  const size = await counted(sourceIp);
  await haveReceived(sourceIp, maxBytes - 2 * size - 10);
  const answers = await Promise.all(Array.from({ length: 6 }, () => read(id, sourceIp)));
  const served = answers.filter(({ status }) => status === 200);
  expect(served.length).toBeLessThanOrEqual(2);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(6 - served.length);
});

test.each([
  ['of one item', 100],
  ['in parts', 400 * kib],
])('a one-time share %s is never consumed by a request that is refused for its bytes', async (_, bytes) => {
  const sourceIp = freshAddress();
  const id = await created(bytes, true);
  const absent = `${id[0]}${'A'.repeat(22)}`;
  await haveReceived(sourceIp, maxBytes);
  // An absent share shows that the address is over the limit, and the environment remembers it.
  expect((await read(absent, sourceIp)).status).toBe(429);
  expect((await read(id, sourceIp)).status).toBe(429);
  expect((await read(id, freshAddress())).status).toBe(200);
});

test.each([
  ['a share with a share proof', { access_proof: protectedShares.accessProof }],
  ['a share with a receipt', { receipt: true }],
  ['a share in parts with a receipt', { receipt: true, data_blob: protectedShares.largeBlob }],
])('%s is never opened by a request that is refused for its bytes', async (_, more) => {
  const sourceIp = freshAddress();
  const { id } = await protectedShares.createdShare(more);
  await haveReceived(sourceIp, maxBytes);
  const headers = { 'x-share-proof': protectedShares.shareProof };
  for (let i = 0; i < 2; i += 1) {
    const refused = await call('shares.open', { query: { id }, headers, sourceIp });
    expect(refused.body).toEqual(tooMany);
  }
  expect((await protectedShares.openShare(id, protectedShares.shareProof)).status).toBe(200);
});

test('a one-time share of one item that was claimed is handed out, and counted', async () => {
  const sourceIp = freshAddress();
  const first = await created(100 * kib, true);
  const second = await created(100 * kib, true);
  await haveReceived(sourceIp, maxBytes);
  expect((await read(first, sourceIp)).status).toBe(200);
  expect((await read(second, sourceIp)).status).toBe(429);
  expect(await counted(sourceIp)).toBeGreaterThan(maxBytes);
  expect((await read(second, freshAddress())).status).toBe(200);
});

test('absent shares count at least 16 KiB each, malformed ids nothing', async () => {
  const sourceIp = freshAddress();
  for (const letter of ['o', 'l', 'm'])
    expect((await read(letter + 'A'.repeat(22), sourceIp)).status).toBe(404);
  expect(await counted(sourceIp)).toBe(3 * 16 * kib);
  await read('nonsense', sourceIp);
  expect(await counted(sourceIp)).toBe(3 * 16 * kib);
});
