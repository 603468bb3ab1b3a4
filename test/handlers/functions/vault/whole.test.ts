import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loseAnswersTo } from '../../../support/between.ts';
import { type Account, readVault, trustedAccount, writeVault } from '../../../support/devices/accounts.ts';
import { failTable } from '../../../support/faults.ts';

/** Two items of ciphertext: a head and a part. */
const large = () => randomBytes(400 * 1024).toString('base64');
const newHash = () => randomBytes(32).toString('hex');
const lost = () => new Error('connection lost');

/** One vault of two items for all tests here; each test leaves it at the next version or unchanged. */
let account: Account;
let before: { data_blob: string; iv: string; version: number; updated_at: string };

beforeAll(async () => {
  account = await trustedAccount();
  await writeVault(account, { data_blob: large() });
});

beforeEach(async () => {
  before = (await readVault(account)).body;
});

/**
 * Calls of a write at which it fails: the limit, the proof, a count of bytes, the head, and the transaction. The others of
 * each round trip are beside them.
 */
const callsOfWrite = [0, 3, 8, 10, 11];
/** The same of a read: the limit, the proof, the head and a part. */
const callsOfRead = [0, 3, 8, 9];

describe('POST /api/vault', () => {
  test.each(callsOfWrite)(
    'leaves the old vault and the old proof when a new master password fails at call %i, and succeeds on retry',
    async (at) => {
      const write = { data_blob: large(), version: before.version, new_auth_hash: newHash() };
      const renewed = { ...account, authHash: write.new_auth_hash };
      const fault = failTable((_, index) => (index === at ? lost() : undefined));
      const failed = await writeVault(account, write).finally(fault.restore);
      expect([failed.status, failed.body]).toEqual([500, { error: 'Internal Server Error' }]);
      expect((await readVault(account)).body).toEqual(before);
      expect((await readVault(renewed)).status).toBe(401);
      expect((await writeVault(account, write)).body.version).toBe(before.version + 1);
      expect((await readVault(renewed)).body.data_blob === write.data_blob).toBe(true);
      expect((await readVault(account)).status).toBe(401);
      account = renewed;
    },
  );
});

describe('a lost response of the table', () => {
  const transaction = 'TransactWriteItemsCommand';

  test('leaves a new master password in force: the same write succeeds under it, and repeated under the old one', async () => {
    const write = { data_blob: large(), version: before.version, new_auth_hash: newHash() };
    const loss = loseAnswersTo(transaction, 3);
    expect((await writeVault(account, write).finally(loss.restore)).status).toBe(500);
    const repeated = await writeVault(account, write);
    expect(repeated.body).toMatchObject({ success: true, version: before.version + 1 });
    expect((await readVault(account)).status).toBe(401);
    account = { ...account, authHash: write.new_auth_hash };
    const retried = await writeVault(account, write);
    expect(retried.body).toMatchObject({ success: true, version: before.version + 1 });
    expect((await readVault(account)).body.version).toBe(before.version + 1);
  });
});

describe('a cancelled transaction', () => {
  test('is a 409 with the current version when another write came after the version was read', async () => {
    const data_blob = large();
    let overtaken = false;
    const watch = failTable(async (command) => {
      if (command !== 'TransactWriteItemsCommand' || overtaken) return undefined;
      overtaken = true;
      expect((await writeVault(account, { version: before.version, data_blob })).status).toBe(200);
      return undefined;
    });
    const late = await writeVault(account, { version: before.version, data_blob: large() }).finally(
      watch.restore,
    );
    expect(late.status).toBe(409);
    expect(late.body).toEqual({ error: 'Vault conflict', details: { version: before.version + 1 } });
    expect((await readVault(account)).body.data_blob === data_blob).toBe(true);
  });
});

describe('GET /api/vault', () => {
  test.each(callsOfRead)(
    'answers 500 when call %i to the table fails, and the whole vault on the next request',
    async (at) => {
      const fault = failTable((_, index) => (index === at ? lost() : undefined));
      const failed = await readVault(account).finally(fault.restore);
      expect(failed.status).toBe(500);
      expect((await readVault(account)).body).toEqual(before);
    },
  );
});
