import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { SharePayload } from '../../../../functions/shares/share.ts';
import { decryptShare, encryptShare } from '../../../../lib/client/index.ts';

const role = 'vouchsafe-share-metadata';
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'));

function nodeDecrypt(key: string, iv: Uint8Array, sealed: Uint8Array, aad?: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64url'), iv);
  if (aad) decipher.setAAD(Buffer.from(aad));
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
}

function nodeEncrypt(key: Buffer, iv: Buffer, content: string, aad?: string): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  if (aad) cipher.setAAD(Buffer.from(aad));
  return Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

/** The ShareError that a promise rejects with, as code and message. */
async function refusal(promise: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: 'ShareError', code: expect.any(String) });
  return error as { code: string; message: string };
}
const code = async (promise: Promise<unknown>) => (await refusal(promise)).code;

/** The same bytes with one bit of the n-th byte changed. */
function flipped(given: Uint8Array, n: number): Uint8Array {
  return given.with(n, (given[n] ?? 0) ^ 1);
}

describe('an encrypted share', () => {
  test('is AES-256-GCM: Node decrypts it as the README describes', async () => {
    const { payload, key } = await encryptShare('Grüße 🔑', 'note.txt');
    expect(nodeDecrypt(key, bytes(payload.iv), bytes(payload.data_blob)).toString()).toBe('Grüße 🔑');
    const meta = bytes(payload.meta_blob ?? '');
    expect(nodeDecrypt(key, meta.subarray(0, 12), meta.subarray(12), role).toString()).toBe('note.txt');
  });

  test('has standard Base64 blobs, a 12-byte IV and a base64url key of 32 bytes', async () => {
    const { payload, key } = await encryptShare('x'.repeat(1000), 'y'.repeat(1000));
    for (const blob of Object.values(payload)) expect(blob).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    expect(bytes(payload.iv)).toHaveLength(12);
    expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  test('never reuses a key or IV, not even for its own metadata', async () => {
    const shares = await Promise.all(Array.from({ length: 50 }, () => encryptShare('same', 'same')));
    const ivs = shares.flatMap(({ payload: { iv, meta_blob } }) => [iv, meta_blob?.slice(0, 16)]);
    expect(new Set(ivs).size).toBe(100);
    expect(new Set(shares.map(({ key }) => key)).size).toBe(50);
  });

  test('is accepted by the server up to the sizes that the README names, and no larger', async () => {
    const taken = async (secret: number, metadata: number) => {
      const { payload } = await encryptShare(new Uint8Array(secret), new Uint8Array(metadata));
      return SharePayload.safeParse(payload).success;
    };
    expect(await taken(1_048_560, 4068)).toBe(true);
    expect(await taken(1_048_561, 0)).toBe(false);
    expect(await taken(0, 4069)).toBe(false);
  });
});

describe('decryption', () => {
  test('round-trips any bytes and any text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.string({ unit: 'grapheme' }),
        async (data, text) => {
          const { payload, key } = await encryptShare(data, text);
          const { secret, metadata } = await decryptShare(payload, key);
          expect(secret.bytes).toEqual(Uint8Array.from(data));
          expect(metadata?.text()).toBe(text);
        },
      ),
    );
  });

  test.each(['base64', 'base64url'] as const)('opens what Node encrypted, blobs in %s', async (encoding) => {
    const key = randomBytes(32);
    const iv = randomBytes(12);
    const metaIv = randomBytes(12);
    const opened = {
      data_blob: nodeEncrypt(key, iv, 'from another client').toString(encoding),
      iv: iv.toString(encoding),
      meta_blob: Buffer.concat([metaIv, nodeEncrypt(key, metaIv, 'its name', role)]).toString(encoding),
      created_at: '2026-11-21T10:00:00.000Z',
    };
    const { secret, metadata } = await decryptShare(opened, key.toString('base64url'));
    expect([secret.text(), metadata?.text()]).toEqual(['from another client', 'its name']);
  });
});

describe('decryption is refused for', () => {
  const sealed = () => encryptShare('a secret', 'its name');

  test.each(['data_blob', 'iv', 'meta_blob'] as const)('a change of any byte of %s', async (field) => {
    const { payload, key } = await sealed();
    const whole = bytes(payload[field] ?? '');
    expect(whole.length).toBeGreaterThan(0);
    for (const n of whole.keys()) {
      const altered = { ...payload, [field]: Buffer.from(flipped(whole, n)).toString('base64') };
      expect(await code(decryptShare(altered, key)), `byte ${n}`).toBe('not_decrypted');
    }
  });

  test('metadata shown as the secret, and the secret as metadata', async () => {
    const { payload, key } = await sealed();
    const meta = Buffer.from(payload.meta_blob ?? '', 'base64');
    const asSecret = {
      iv: meta.subarray(0, 12).toString('base64'),
      data_blob: meta.subarray(12).toString('base64'),
    };
    expect(await code(decryptShare(asSecret, key))).toBe('not_decrypted');
    const secret = Buffer.concat([bytes(payload.iv), bytes(payload.data_blob)]).toString('base64');
    expect(await code(decryptShare({ ...payload, meta_blob: secret }, key))).toBe('not_decrypted');
  });

  test('a field that is not Base64, and the error names it', async () => {
    const { payload, key } = await sealed();
    for (const field of ['data_blob', 'iv', 'meta_blob']) {
      const refused = await refusal(decryptShare({ ...payload, [field]: 'not Base64!' }, key));
      expect(refused).toMatchObject({ code: 'invalid_payload', message: `${field} is not Base64.` });
    }
    const untyped = decryptShare as (opened: unknown, key: string) => Promise<unknown>;
    expect(await code(untyped({ error: 'Link not found or expired' }, key))).toBe('invalid_payload');
  });

  test('a key of another length or alphabet, and the error does not contain it', async () => {
    const { payload, key } = await sealed();
    const standard = `${'+'.repeat(42)}A`;
    const strayBits = `${'A'.repeat(42)}B`;
    const longer = `a${key}`;
    for (const wrong of [key.slice(1), longer, `${key}=`, ` ${key}`, '', standard, strayBits]) {
      const { code: found, message } = await refusal(decryptShare(payload, wrong));
      expect(found, wrong).toBe('invalid_key');
      if (wrong !== '') expect(message).not.toContain(wrong);
    }
    const untyped = decryptShare as (opened: unknown, key: unknown) => Promise<unknown>;
    expect(await code(untyped(payload, undefined))).toBe('invalid_key');
  });
});
