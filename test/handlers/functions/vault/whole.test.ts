import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { partition } from '../../../../functions/shared/contract/keys.ts';
import { queryItems } from '../../../../functions/shared/table/table.ts';
import { loseAnswersTo } from '../../../support/between.ts';
import { type Account, readVault, trustedAccount, writeVault } from '../../../support/devices/accounts.ts';
import { countCalls, failTable } from '../../../support/faults.ts';

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
 * Calls of a write: limit, device, user, proof and three counts of wrong proofs; both counts of bytes and the head; the
 * transaction. Call 7 records the address, beside the others, and its failure has no effect.
 */
const callsOfWrite = [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11];
/** Calls of a first write, which finds no proof and records no address. */
const callsOfFirstWrite = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
/** Calls of a read: the same without the counts of bytes, and with one part in place of the transaction. */
const callsOfRead = [0, 1, 2, 3, 4, 5, 6, 8, 9];

describe('POST /api/vault', () => {
  test('writes a vault of any size in one transaction', async () => {
    for (const data_blob of [large(), 'AAAA', large()]) {
      const { version } = (await readVault(account)).body;
      const calls = await countCalls(() =>
        writeVault(account, { data_blob, version, new_auth_hash: account.authHash }),
      );
      expect(calls.filter((command) => !command.startsWith('Get'))).toEqual([
        ...Array(4).fill('UpdateItemCommand'),
        'TransactWriteItemsCommand',
      ]);
      expect(calls).toHaveLength(callsOfWrite.length + 1);
    }
  });

  test.each(callsOfWrite)(
    'answers 500 when call %i to the table fails, leaves the old vault to readers, and succeeds on retry',
    async (at) => {
      const write = { data_blob: large(), version: before.version };
      const fault = failTable((_, index) => (index === at ? lost() : undefined));
      const failed = await writeVault(account, write).finally(fault.restore);
      expect(failed.status).toBe(500);
      expect(failed.body).toEqual({ error: 'Internal Server Error' });
      expect((await readVault(account)).body).toEqual(before);
      const retried = await writeVault(account, write);
      expect(retried.body).toMatchObject({ success: true, version: before.version + 1 });
      expect((await readVault(account)).body.data_blob === write.data_blob).toBe(true);
    },
  );

  test.each(callsOfWrite)(
    'leaves the old proof with the old vault when a new master password fails at call %i',
    async (at) => {
      const write = { data_blob: large(), version: before.version, new_auth_hash: newHash() };
      const renewed = { ...account, authHash: write.new_auth_hash };
      const fault = failTable((_, index) => (index === at ? lost() : undefined));
      expect((await writeVault(account, write).finally(fault.restore)).status).toBe(500);
      expect((await readVault(account)).body).toEqual(before);
      expect((await readVault(renewed)).status).toBe(401);
      expect((await writeVault(account, write)).body.version).toBe(before.version + 1);
      expect((await readVault(renewed)).body.data_blob === write.data_blob).toBe(true);
      expect((await readVault(account)).status).toBe(401);
      account = renewed;
    },
  );

  test.each(callsOfFirstWrite)(
    'leaves neither vault nor proof when a first write fails at call %i',
    async (at) => {
      const newcomer = await trustedAccount();
      const fault = failTable((_, index) => (index === at ? lost() : undefined));
      expect((await writeVault(newcomer).finally(fault.restore)).status).toBe(500);
      for (const prefix of ['VAULT', 'PROOF'] as const) {
        expect(await queryItems(partition(prefix, newcomer.userId))).toEqual([]);
      }
      expect((await writeVault(newcomer)).body.version).toBe(1);
    },
  );

  test('changes nothing when the process ends before the transaction is sent', async () => {
    let reached = () => {};
    const atTransaction = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const fault = failTable((command) => {
      if (command !== 'TransactWriteItemsCommand') return undefined;
      reached();
      return new Promise(() => {});
    });
    void writeVault(account, { data_blob: large(), version: before.version });
    await atTransaction.finally(fault.restore);
    expect((await readVault(account)).body).toEqual(before);
    const retried = await writeVault(account, { data_blob: large(), version: before.version });
    expect(retried.body.version).toBe(before.version + 1);
  });
});

describe('a lost response of the table', () => {
  const transaction = 'TransactWriteItemsCommand';

  test.each([1, 2])(
    'is requested again by the SDK when it is lost %i times, and the caller sees no difference',
    async (times) => {
      const write = { data_blob: large(), version: before.version, new_auth_hash: newHash() };
      const loss = loseAnswersTo(transaction, times);
      const answer = await writeVault(account, write).finally(loss.restore);
      expect(loss.sent()).toBe(times + 1);
      expect([answer.status, answer.body.version]).toEqual([200, before.version + 1]);
      account = { ...account, authHash: write.new_auth_hash };
      const { body } = await readVault(account);
      expect(body.version).toBe(before.version + 1);
      expect(body.data_blob === write.data_blob).toBe(true);
    },
  );

  test('is a 500 when every attempt loses it, and the same write sent again succeeds', async () => {
    const write = { data_blob: large(), version: before.version };
    const loss = loseAnswersTo(transaction, 3);
    const failed = await writeVault(account, write).finally(loss.restore);
    expect(failed.status).toBe(500);
    const { body } = await readVault(account);
    expect(body.version).toBe(before.version + 1);
    const retried = await writeVault(account, write);
    expect(retried.body).toEqual({ success: true, version: before.version + 1, updated_at: body.updated_at });
  });

  test('is a 500 for a first write too, and the same write with the same proof succeeds', async () => {
    const newcomer = await trustedAccount();
    const loss = loseAnswersTo(transaction, 3);
    expect((await writeVault(newcomer).finally(loss.restore)).status).toBe(500);
    expect((await writeVault(newcomer)).body).toMatchObject({ success: true, version: 1 });
  });

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
  const cancelled = (...codes: string[]) =>
    Object.assign(new Error('cancelled'), {
      name: 'TransactionCanceledException',
      CancellationReasons: codes.map((Code) => ({ Code })),
    });

  test('is retried after a conflict until it succeeds', async () => {
    let tries = 0;
    const fault = failTable((command) => {
      if (command !== 'TransactWriteItemsCommand') return undefined;
      tries += 1;
      return tries < 4 ? cancelled('TransactionConflict', 'None') : undefined;
    });
    const write = { data_blob: large(), version: before.version };
    const answer = await writeVault(account, write).finally(fault.restore);
    expect([answer.status, answer.body.version]).toEqual([200, before.version + 1]);
    expect(tries).toBe(4);
  });

  test('is a 500 after five conflicts, and changes nothing', async () => {
    const fault = failTable((command) =>
      command === 'TransactWriteItemsCommand' ? cancelled('TransactionConflict') : undefined,
    );
    const answer = await writeVault(account, { version: before.version, new_auth_hash: newHash() }).finally(
      fault.restore,
    );
    expect(answer.status).toBe(500);
    expect(fault.calls.filter((command) => command.startsWith('Transact'))).toHaveLength(5);
    expect((await readVault(account)).body).toEqual(before);
  });

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
      expect(fault.calls.length).toBeLessThanOrEqual(callsOfRead.length + 1);
      expect(failed.status).toBe(500);
      expect((await readVault(account)).body).toEqual(before);
    },
  );
});
