import { encodeBase64Url } from '../base64.ts';
import { joined } from '../bytes.ts';
import { encodeHex } from '../hex.ts';
import { webCrypto } from '../web-crypto.ts';
import { ShareError } from './share-error.ts';
import type { LinkKey } from './share-key.ts';

/** The keys that are derived from the key of a link, and the passphrase where there is one. */
export interface DerivedKeys {
  /** The 32 bytes of the AES-256-GCM key. */
  encryptionKey: Uint8Array<ArrayBuffer>;
  /** The share proof: 43 characters of base64url. Undefined for a plain key. */
  proof: string | undefined;
}

/** The least that OWASP recommends for PBKDF2 with SHA-256 (Password Storage Cheat Sheet). */
const passphraseRounds = 600_000;
const derivedBits = 256;

const utf8 = (text: string) => new TextEncoder().encode(text);
const none = new Uint8Array();

/**
 * Derives the encryption key and the share proof by HKDF (RFC 5869) with SHA-256. Both have a label of their own, so that the
 * service, which sees the proof, learns nothing about the encryption key.
 *
 * A passphrase passes PBKDF2 first, with the link key as its salt, and is appended to the link key. Who knows the
 * passphrase without the link derives nothing, and neither does who knows the link alone.
 *
 * @throws {ShareError} `passphrase_required`
 */
export async function deriveKeys(key: LinkKey, passphrase: string | undefined): Promise<DerivedKeys> {
  if (key.form === 'plain') return { encryptionKey: key.bytes, proof: undefined };
  const secret = key.form === 'proof' ? key.bytes : await stretched(key.bytes, passphrase);
  const { subtle } = webCrypto();
  const material = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  const derive = async (info: string) => {
    const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: none, info: utf8(info) };
    return new Uint8Array(await subtle.deriveBits(hkdf, material, derivedBits));
  };
  return {
    encryptionKey: await derive('vouchsafe-share-encryption'),
    proof: encodeBase64Url(await derive('vouchsafe-share-access')),
  };
}

/** The value that the service stores instead of the share proof: 64 lowercase hexadecimal digits of its SHA-256. */
export async function accessProof(proof: string): Promise<string> {
  return encodeHex(new Uint8Array(await webCrypto().subtle.digest('SHA-256', utf8(proof))));
}

async function stretched(
  linkKey: Uint8Array<ArrayBuffer>,
  passphrase: string | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof passphrase !== 'string' || passphrase === '') {
    throw new ShareError('passphrase_required', 'This share needs its passphrase.');
  }
  const { subtle } = webCrypto();
  // Keyboards differ in how they compose "ü"; people cannot see the difference.
  const typed = await subtle.importKey('raw', utf8(passphrase.normalize('NFC')), 'PBKDF2', false, [
    'deriveBits',
  ]);
  const pbkdf2 = { name: 'PBKDF2', hash: 'SHA-256', salt: linkKey, iterations: passphraseRounds };
  return joined(linkKey, new Uint8Array(await subtle.deriveBits(pbkdf2, typed, derivedBits)));
}
