import { createDecipheriv, createHash, hkdfSync, pbkdf2Sync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decryptShare, encryptShare, shareProof } from '../../../../../lib/client/index.ts';

/** Derives keys as the README describes, with the functions of Node.js. */
function nodeDerive(key: string, passphrase?: string) {
  const linkKey = Buffer.from(key.slice(1), 'base64url');
  const stretched =
    passphrase === undefined ? Buffer.alloc(0) : pbkdf2Sync(passphrase, linkKey, 600_000, 32, 'sha256');
  const secret = Buffer.concat([linkKey, stretched]);
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', secret, '', info, 32));
  return {
    encryptionKey: derive('vouchsafe-share-encryption'),
    proof: derive('vouchsafe-share-access').toString('base64url'),
  };
}

function nodeDecrypt(key: Buffer, { data_blob, iv }: { data_blob: string; iv: string }): string {
  const sealed = Buffer.from(data_blob, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64'));
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString();
}

const sha256 = (text: string) => createHash('sha256').update(text, 'ascii').digest('hex');

test('a share without protection has a key of 43 characters, no access proof and no share proof', async () => {
  const { payload, key } = await encryptShare('secret', undefined, {});
  expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(Object.keys(payload).sort()).toEqual(['data_blob', 'iv', 'meta_blob']);
  expect(await shareProof(key)).toBeUndefined();
});

// A derivation from a passphrase takes 600,000 rounds: each share is made once.
describe.each([
  ['an access proof', 'k', { accessProof: true }, undefined],
  ['a passphrase', 'p', { passphrase: 'Gr\u00fc\u00dfe' }, 'Gr\u00fc\u00dfe'],
] as const)('a share with %s', (_name, prefix, protection, passphrase) => {
  const given = passphrase === undefined ? {} : { passphrase };
  let share: Awaited<ReturnType<typeof encryptShare>>;
  let derived: ReturnType<typeof nodeDerive>;
  beforeAll(async () => {
    share = await encryptShare('Grüße 🔑', 'note', protection);
    derived = nodeDerive(share.key, passphrase);
  });

  test('is decrypted by Node.js as the README describes', () => {
    expect(share.key).toMatch(new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`));
    expect(nodeDecrypt(derived.encryptionKey, share.payload)).toBe('Grüße 🔑');
  });

  test('tells the service the SHA-256 of the share proof, and neither proof nor key', async () => {
    const { payload, key } = share;
    const proof = await shareProof(key, given);
    expect(proof).toBe(derived.proof);
    expect(payload.access_proof).toBe(sha256(proof ?? ''));
    const sent = JSON.stringify(payload);
    for (const kept of [key.slice(1), proof]) expect(sent).not.toContain(kept);
  });

  test('is decrypted with its metadata, however the characters of a passphrase are composed', async () => {
    const composed = passphrase === undefined ? {} : { passphrase: passphrase.normalize('NFD') };
    const { secret, metadata } = await decryptShare(share.payload, share.key, composed);
    expect([secret.text(), metadata?.text()]).toEqual(['Grüße 🔑', 'note']);
  });

  test('is not decrypted when the form of the key was changed', async () => {
    const { payload, key } = share;
    const other = prefix === 'k' ? 'p' : 'k';
    for (const altered of [key.slice(1), other + key.slice(1)]) {
      await expect(decryptShare(payload, altered, { passphrase: 'Gr\u00fc\u00dfe' })).rejects.toMatchObject({
        code: 'not_decrypted',
      });
    }
  });

  test.runIf(prefix === 'p')(
    'needs its passphrase: nothing is derived without it, or with an empty one',
    async () => {
      const { payload, key } = share;
      for (const missing of [{}, { passphrase: '' }]) {
        await expect(decryptShare(payload, key, missing)).rejects.toMatchObject({
          code: 'passphrase_required',
        });
        await expect(shareProof(key, missing)).rejects.toMatchObject({ code: 'passphrase_required' });
      }
      await expect(decryptShare(payload, key, { passphrase: 'wrong' })).rejects.toMatchObject({
        code: 'not_decrypted',
      });
    },
  );
});

test('the test vectors of the README are those that Node.js computes', async () => {
  const readme = await readFile(join(import.meta.dirname, '../../../../../lib/client/README.md'), 'utf8');
  const linkKey = Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('base64url');
  const iv = Buffer.from(Array.from({ length: 12 }, (_, i) => i)).toString('base64');
  const phrase = 'correct horse battery staple';
  for (const derived of [nodeDerive(`k${linkKey}`), nodeDerive(`p${linkKey}`, phrase)]) {
    expect(readme).toContain(` // ${derived.proof}\n// access_proof: ${sha256(derived.proof)}\n`);
    const blobs = [...readme.matchAll(/iv, data_blob: '(.+?)'/g)].map(([, blob = '']) => blob);
    const opened = blobs.filter((data_blob) => {
      try {
        return nodeDecrypt(derived.encryptionKey, { data_blob, iv }) === 'Attack at dawn';
      } catch {
        return false;
      }
    });
    expect(opened).toHaveLength(1);
  }
});

test('a passphrase cannot be empty for a new share', async () => {
  await expect(encryptShare('secret', undefined, { passphrase: '' })).rejects.toMatchObject({
    name: 'ShareError',
    code: 'invalid_request',
  });
});
