import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Answered } from '../../../support/call.ts';
import { readVault, trustedAccount, vaultAccount, writeVault } from '../../../support/devices/accounts.ts';
import { onceAnswered } from '../../../support/interruptions/between.ts';
import { expectOnce } from '../../../support/races.ts';
import { samples } from '../../../support/thoroughness.ts';

const kib = 1024;
const of = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const newHash = () => randomBytes(32).toString('hex');
const wonBy = (answers: Answered[]) => answers.findIndex(({ status }) => status === 200);

/** A vault whose every byte, iv and size identify its version. */
function self(version: number): { data_blob: string; iv: string } {
  const sizes = [740, 380, 10, 390];
  const bytes = (sizes[version % sizes.length] ?? 0) * kib + version;
  return {
    data_blob: Buffer.alloc(bytes, version).toString('base64'),
    iv: Buffer.alloc(12, version).toString('base64'),
  };
}

function expectOneVersion({ status, body }: Answered): number {
  expect(status).toBe(200);
  const { data_blob, iv } = self(body.version);
  expect(body.iv).toBe(iv);
  expect(body.data_blob === data_blob).toBe(true);
  return body.version;
}

describe('a reader among concurrent writers', () => {
  test('sees one version and never a mixture, through many vaults of changing size', async () => {
    const versions = samples({ few: 8, many: 24 });
    const account = await trustedAccount();
    await writeVault(account, self(1));
    let writing = true;
    const seen = new Set<number>();
    const reader = async () => {
      let last = 0;
      while (writing) {
        const version = expectOneVersion(await readVault(account));
        expect(version).toBeGreaterThanOrEqual(last);
        last = version;
        seen.add(version);
      }
    };
    const writer = async () => {
      for (let version = 1; version < versions; version += 1) {
        expect((await writeVault(account, { ...self(version + 1), version })).status).toBe(200);
      }
    };
    const readers = of(2, reader);
    await writer().finally(() => {
      writing = false;
    });
    await Promise.all(readers);
    expect(seen.size).toBeGreaterThan(1);
    expect(expectOneVersion(await readVault(account))).toBe(versions);
  });

  // The fourth version has three pieces, the third and the fifth two: one is overtaken as it grows, one as it shrinks.
  test.each([3, 4])(
    'starts again when overtaken between the head and the parts of version %i',
    async (start) => {
      const account = await trustedAccount();
      for (let version = 0; version < start; version += 1) {
        await writeVault(account, { ...self(version + 1), version });
      }
      const pk = `VAULT#${account.userId}`;
      const between = onceAnswered(
        ({ command, pk: asked }) => command === 'GetItemCommand' && asked === pk,
        () => writeVault(account, { ...self(start + 1), version: start }),
      );
      const overtaken = await readVault(account).finally(between.restore);
      expect(between.happened()).toBe(true);
      expect(expectOneVersion(overtaken)).toBe(start + 1);
    },
  );
});

describe('concurrent writers', () => {
  const blobs = of(5, () => randomBytes(30).toString('base64'));

  test('with the same version: exactly one wins, the others get 409 with the current version, nothing is lost', async () => {
    const account = await vaultAccount();
    const answers = await expectOnce({
      call: (n) => writeVault(account, { data_blob: blobs[n], version: 1 }),
      isOk: ({ status }) => status === 200,
      effects: async () => (await readVault(account)).body.version - 1,
    });
    const winner = wonBy(answers);
    for (const { status, body } of answers.filter((_, i) => i !== winner))
      expect([status, body]).toEqual([409, { error: 'Vault conflict', details: { version: 2 } }]);
    expect((await readVault(account)).body.data_blob).toBe(blobs[winner]);
  });

  test('with different first proofs: one creates the vault, and its proof is the one registered', async () => {
    const account = await trustedAccount();
    const rivals = blobs.map(() => ({ ...account, authHash: newHash() }));
    const answers = await expectOnce({
      call: (n) => writeVault(rivals[n] ?? account, { data_blob: blobs[n] }),
      isOk: ({ status }) => status === 200,
      effects: async () =>
        (await Promise.all(rivals.map((rival) => readVault(rival)))).filter(({ status }) => status === 200)
          .length,
    });
    // A writer that comes after the winner's proof is registered has a wrong one.
    expect(answers.filter(({ status }) => status === 409 || status === 401)).toHaveLength(4);
    const winner = wonBy(answers);
    expect((await readVault(rivals[winner] ?? account)).body).toMatchObject({
      version: 1,
      data_blob: blobs[winner],
    });
  });
});
