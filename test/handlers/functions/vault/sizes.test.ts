import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { partBytes } from '../../../../functions/shared/table/blob.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { routes } from '../../../../functions/vault/routes.ts';
import { call } from '../../../support/call.ts';
import {
  type Account,
  proofOf,
  readVault,
  trustedAccount,
  writeVault,
} from '../../../support/devices/accounts.ts';
import { countCalls } from '../../../support/faults.ts';

const threeMiB = 3 * 1024 * 1024;
const base64 = (bytes: number) => randomBytes(bytes).toString('base64');

let account: Account;
let version = 0;

beforeAll(async () => {
  account = await trustedAccount();
  version = 0;
});

/** Stores a blob as the next version and reads it again. */
async function stored(data_blob: string, iv = 'AAAA'): Promise<{ data_blob: string; iv: string }> {
  const written = await writeVault(account, { data_blob, iv, version });
  expect(written.status).toBe(200);
  version = written.body.version;
  const { body } = await readVault(account);
  expect(body.version).toBe(version);
  return { data_blob: body.data_blob, iv: body.iv };
}

/** The items of the account's vault: its head, and the numbers of its pieces. */
async function slots(): Promise<string[]> {
  const { userId } = account;
  const known = [keys.vault(userId), ...Array.from({ length: 12 }, (_, i) => keys.vaultPart(userId, i + 1))];
  const items = await Promise.all(known.map(getItem));
  return items.flatMap((item, n) => (item === undefined ? [] : [n === 0 ? 'HEAD' : `PART ${n}`]));
}

const parts = (n: number) => Array.from({ length: n }, (_, i) => `PART ${i + 1}`);

describe('ciphertext', () => {
  // 3 MiB are whole groups of three bytes: only one or two bytes less need padding.
  test.each([
    ['in the standard alphabet', () => base64(threeMiB)],
    ['in the URL alphabet', () => randomBytes(threeMiB).toString('base64url')],
    ['less a byte, padded, with stray bits', () => `${base64(threeMiB - 3)}Zm9=`],
    ['less two bytes, URL alphabet, unpadded, with stray bits', () => `${'-_-_'.repeat(1024 * 1024 - 1)}Z_`],
  ])('of exactly 3 MiB %s is returned character for character', async (_, text) => {
    const data_blob = text();
    // A diff of 4 MB of text would take minutes.
    expect((await stored(data_blob)).data_blob === data_blob).toBe(true);
  });

  test('of one byte more is 400 with the name of the field, and leaves the vault unchanged', async () => {
    const before = await stored('AAAA');
    for (const over of [base64(threeMiB + 1), base64(threeMiB + 1).slice(0, -2)]) {
      const answer = await writeVault(account, { data_blob: over, version });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        error: 'Invalid request data',
        details: { data_blob: `must hold 1 to ${threeMiB} bytes, this holds ${threeMiB + 1}` },
      });
    }
    expect((await readVault(account)).body).toMatchObject({ ...before, version });
  });

  test('of one byte is a vault, and none is 400', async () => {
    expect((await writeVault(account, { data_blob: '', version })).body.details).toEqual({
      data_blob: `must hold 1 to ${threeMiB} bytes, this holds 0`,
    });
    for (const text of ['AA==', 'AA', '_w']) expect((await stored(text)).data_blob).toBe(text);
  });
});

test('Base64 of any size and variant is returned character for character', async () => {
  const spelling = fc.record({
    bytes: fc.uint8Array({ minLength: 1, maxLength: 64 }),
    alphabet: fc.constantFrom('base64' as const, 'base64url' as const),
    pad: fc.boolean(),
  });
  const text = spelling.map(({ bytes, alphabet, pad }) => {
    const unpadded = Buffer.from(bytes).toString(alphabet).replace(/=+$/, '');
    return pad ? unpadded.padEnd(Math.ceil(unpadded.length / 4) * 4, '=') : unpadded;
  });
  await fc.assert(
    fc.asyncProperty(text, text, async (data_blob, iv) => {
      expect(await stored(data_blob, iv)).toEqual({ data_blob, iv });
    }),
    { numRuns: 40 },
  );
  for (const stray of ['QR==', 'QR', 'QUJ=', 'QUJ', '____', '-w==']) {
    expect(await stored(stray, stray)).toEqual({ data_blob: stray, iv: stray });
  }
});

// The last group of characters is stored with the head: three bytes more fill a piece to its end.
test.each([-4, -3, -2, -1, 0, 1, 2, 3, 4, 5])(
  'a vault of one piece and %i bytes is stored in the fewest items and returned whole',
  async (more) => {
    const data_blob = base64(partBytes + more);
    expect((await stored(data_blob)).data_blob === data_blob).toBe(true);
    const bytesInPieces = 3 * (Math.ceil((partBytes + more) / 3) - 1);
    expect(await slots()).toEqual(['HEAD', ...parts(bytesInPieces > partBytes ? 1 : 0)]);
  },
);

test('a vault that shrinks from 3 MiB to 10 bytes leaves no stale part, and can grow again', async () => {
  const large = base64(threeMiB);
  await stored(large);
  expect(await slots()).toEqual(['HEAD', ...parts(8)]);
  const small = base64(10);
  expect((await stored(small)).data_blob).toBe(small);
  expect(await slots()).toEqual(['HEAD']);
  const middle = base64(3 * partBytes);
  expect((await stored(middle)).data_blob === middle).toBe(true);
  expect(await slots()).toEqual(['HEAD', ...parts(2)]);
  expect((await stored(large)).data_blob === large).toBe(true);
  expect(await slots()).toEqual(['HEAD', ...parts(8)]);
  const less = base64(2 * partBytes);
  expect((await stored(less)).data_blob === less).toBe(true);
  expect(await slots()).toEqual(['HEAD', ...parts(1)]);
});

test('a vault of 3 MiB is stored in items below the 400 KB limit of DynamoDB', async () => {
  await stored(base64(threeMiB), base64(64));
  const slot = [keys.vault(account.userId), keys.vaultPart(account.userId, 1)];
  for (const item of await Promise.all(slot.map(getItem))) {
    const { data, ...rest } = item as unknown as { data: Uint8Array };
    expect(data.length + JSON.stringify(rest).length).toBeLessThan(400 * 1024 - 1024);
  }
});

describe('the body of a request', () => {
  const max = 4_300_000;

  test('fits the limit with the longest ciphertext and the longest names', () => {
    const longest = { userId: '\u0000'.repeat(128), iv: base64(64), new_auth_hash: 'f'.repeat(64) };
    const body = { ...longest, data_blob: base64(threeMiB), version: Number.MAX_SAFE_INTEGER };
    expect(routes.write.maxBodyBytes).toBe(max);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(max);
  });

  test('is accepted up to the limit; one byte more gets 400, after no call to the table but the rate limit', async () => {
    const body = JSON.stringify({ userId: account.userId, data_blob: 'AAAA', iv: 'AAAA', version });
    const padded = (bytes: number) => body.padEnd(bytes, ' ');
    const calls = await countCalls(async () => {
      const over = await call('vault.write', { headers: proofOf(account), body: padded(max + 1) });
      expect(over.status).toBe(400);
      expect(over.body).toEqual({
        error: 'Invalid request data',
        details: { body: `must be at most ${max} bytes` },
      });
    });
    expect(calls).toEqual(['UpdateItemCommand']);
    const answer = await call('vault.write', { headers: proofOf(account), body: padded(max) });
    expect(answer.status).toBe(200);
    version = answer.body.version;
  });
});
