import { createDecipheriv, randomBytes } from 'node:crypto';
import { decryptVault, encryptVault } from '../../../../../lib/client/vault.ts';

const bytes = (text: string) => Buffer.from(text, 'base64');
const key = () => new Uint8Array(randomBytes(32));

test('an encrypted vault is AES-256-GCM with a new IV, which Node.js decrypts', async () => {
  const raw = key();
  const [first, second] = await Promise.all([encryptVault('Grüße', raw), encryptVault('Grüße', raw)]);
  expect(first.iv).not.toBe(second.iv);
  const sealed = bytes(first.data_blob);
  const decipher = createDecipheriv('aes-256-gcm', raw, bytes(first.iv));
  decipher.setAuthTag(sealed.subarray(-16));
  const opened = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  expect(opened.toString()).toBe('Grüße');
});

test('a vault is decrypted with a CryptoKey that cannot be exported', async () => {
  const cryptoKey = await crypto.subtle.importKey('raw', key(), 'AES-GCM', false, ['encrypt', 'decrypt']);
  const content = new Uint8Array(randomBytes(1000));
  expect(await decryptVault(await encryptVault(content, cryptoKey), cryptoKey)).toEqual(content);
});

test('another key, and a changed vault, are not_decrypted', async () => {
  const raw = key();
  const vault = await encryptVault('secret', raw);
  await expect(decryptVault(vault, key())).rejects.toMatchObject({ code: 'not_decrypted' });
  const changed = bytes(vault.data_blob);
  changed.writeUInt8(changed.readUInt8(0) ^ 1, 0);
  const altered = { data_blob: changed.toString('base64'), iv: vault.iv };
  await expect(decryptVault(altered, raw)).rejects.toMatchObject({ code: 'not_decrypted' });
});

test('a key of another length, what is not Base64 and what is no content are refused', async () => {
  const raw = key();
  await expect(encryptVault('secret', raw.subarray(1))).rejects.toMatchObject({ code: 'invalid_key' });
  const { iv } = await encryptVault('secret', raw);
  await expect(decryptVault({ data_blob: 'AAAA', iv }, raw)).rejects.toMatchObject({
    code: 'invalid_payload',
  });
  await expect(decryptVault({ data_blob: '!', iv }, raw)).rejects.toMatchObject({ code: 'invalid_payload' });
  const untyped = encryptVault as (content: unknown, key: Uint8Array) => Promise<unknown>;
  await expect(untyped(undefined, raw)).rejects.toThrow(TypeError);
});
