import { encodeHex } from './hex.ts';
import { webCrypto } from './web-crypto.ts';

const iterations = 100_000;
const message = 'server-auth-check';

/**
 * Computes the proof of the master password for the header `x-auth-hash`: HMAC-SHA-256 of a fixed message under a key that
 * PBKDF2 (SHA-256, 100,000 iterations, salt `<salt>_AUTH`) derives from the password.
 *
 * Password and salt are encoded as UTF-8 and are **not** normalized: "ä" as one code point and as "a" with a combining
 * mark give different proofs. Where keyboards differ, normalize before the call, in the same way on every client.
 *
 * @param salt the user's salt text, without `_AUTH`.
 * @returns 64 lowercase hexadecimal digits.
 * @throws TypeError when either is not a string; Error on a page that is not a secure context
 */
export async function authHash(masterPassword: string, salt: string): Promise<string> {
  // Undefined would otherwise mean an empty password, or the salt "undefined".
  if (typeof masterPassword !== 'string' || typeof salt !== 'string') {
    throw new TypeError('Master password and salt must be strings.');
  }
  const { subtle } = webCrypto();
  const utf8 = new TextEncoder();
  const password = await subtle.importKey('raw', utf8.encode(masterPassword), 'PBKDF2', false, ['deriveKey']);
  const key = await subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt: utf8.encode(`${salt}_AUTH`), iterations },
    password,
    // In bits. The default is the block size of SHA-256, 512 bits: PBKDF2 would run twice as long and derive another key,
    // which gives another proof.
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    false,
    ['sign'],
  );
  return encodeHex(new Uint8Array(await subtle.sign('HMAC', key, utf8.encode(message))));
}
