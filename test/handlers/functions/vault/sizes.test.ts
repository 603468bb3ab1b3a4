import { randomBytes } from 'node:crypto';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { partBytes } from '../../../../functions/shared/table/blob.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { type Account, trustedAccount } from '../../../support/devices/accounts.ts';

const threeMiB = 3 * 1024 * 1024;
const base64 = (bytes: number) => randomBytes(bytes).toString('base64');

let account: Account;
let version = 0;

beforeAll(async () => {
  account = await trustedAccount();
});

/** Stores a blob as the next version and reads it again. */
async function stored(data_blob: string, iv = 'AAAA'): Promise<{ data_blob: string; iv: string }> {
  const written = await account.writeVault({ data_blob, iv, version });
  expect(written.status).toBe(200);
  version = written.body.version;
  const { body } = await account.readVault();
  expect(body.version).toBe(version);
  return { data_blob: body.data_blob, iv: body.iv };
}

/** The number of parts that the account's vault has beside its head. */
async function parts(): Promise<number> {
  const items = await Promise.all(
    Array.from({ length: 12 }, (_, i) => getItem(keys.vaultPart(account.userId, i + 1))),
  );
  const count = items.filter((item) => item !== undefined).length;
  expect(items.slice(0, count)).not.toContain(undefined);
  return count;
}

test('Base64 of either alphabet, padded or not, is returned character for character', async () => {
  for (const text of ['QR==', 'QR', 'QUJ=', 'QUJ', '____', '-w==', '_w', '+/+/'])
    expect(await stored(text, text)).toEqual({ data_blob: text, iv: text });
});

test('a vault of 3 MiB that shrinks to 10 bytes leaves no stale part, and can grow again', async () => {
  // A group of characters that is not whole, with stray bits, in the URL alphabet.
  const largest = `${'-_-_'.repeat(1024 * 1024 - 1)}Z_`;
  for (const [text, count] of [
    [base64(threeMiB), 8],
    [base64(10), 0],
    [largest, 8],
    [base64(2 * partBytes), 1],
  ] as const) {
    // A diff of 4 MB of text would take minutes.
    expect((await stored(text)).data_blob === text).toBe(true);
    expect(await parts()).toBe(count);
  }
});

test('ciphertext of none, or of a byte more than 3 MiB, is 400, and leaves the vault unchanged', async () => {
  const before = await stored('AA==');
  for (const [data_blob, bytes] of [
    ['', 0],
    [base64(threeMiB + 1), threeMiB + 1],
  ] as const) {
    const answer = await account.writeVault({ data_blob, version });
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: 'Invalid request data',
        details: { data_blob: `must hold 1 to ${threeMiB} bytes, this holds ${bytes}` },
      },
    ]);
  }
  expect((await account.readVault()).body).toMatchObject({ ...before, version });
});
