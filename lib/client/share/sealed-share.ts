import { decodeBase64, encodeBase64 } from '../base64.ts';
import { bytesOf, joined } from '../bytes.ts';
import { randomBytes, webCrypto } from '../web-crypto.ts';
import { ShareError } from './share-error.ts';
import type { DecryptedShare, Plaintext, SealedPayload, SealedShare } from './share-payload.ts';

export const ivBytes = 12;
export const tagBytes = 16;
/**
 * Additional data that binds a ciphertext to its role as metadata, so that a server cannot swap metadata and secret. The
 * secret has no additional data: any client of the service can read plain AES-256-GCM.
 */
const metadataRole = new TextEncoder().encode('vouchsafe-share-metadata');

/**
 * Encrypts a secret, and optional metadata, with AES-256-GCM.
 *
 * The API has one field `iv`, but an IV used twice under one key breaks AES-GCM. The metadata therefore has its own IV, in
 * front of its ciphertext.
 *
 * @param encryptionKey 32 bytes, for this share alone.
 * @throws TypeError when either is neither a string nor bytes
 */
export async function seal(
  encryptionKey: Uint8Array<ArrayBuffer>,
  secret: string | Uint8Array,
  metadata?: string | Uint8Array,
): Promise<SealedShare> {
  const key = await webCrypto().subtle.importKey('raw', encryptionKey, 'AES-GCM', false, ['encrypt']);
  const encrypted = async (content: string | Uint8Array, role?: Uint8Array<ArrayBuffer>) => {
    const iv = randomBytes(ivBytes);
    const ciphertext = await webCrypto().subtle.encrypt(aesGcm(iv, role), key, bytesOf(content));
    return { iv, ciphertext: new Uint8Array(ciphertext) };
  };
  const data = await encrypted(secret);
  const meta = metadata === undefined ? undefined : await encrypted(metadata, metadataRole);
  return {
    data_blob: encodeBase64(data.ciphertext),
    iv: encodeBase64(data.iv),
    meta_blob: meta ? encodeBase64(joined(meta.iv, meta.ciphertext)) : null,
  };
}

/** Decrypts what {@link seal} encrypted. @throws {ShareError} `invalid_payload`, `not_decrypted` */
export async function unseal(
  encryptionKey: Uint8Array<ArrayBuffer>,
  opened: SealedPayload,
): Promise<DecryptedShare> {
  const ciphertext = decoded('data_blob', opened.data_blob, tagBytes);
  const iv = decoded('iv', opened.iv, ivBytes);
  if (iv.length !== ivBytes) throw new ShareError('invalid_payload', 'iv does not hold 12 bytes.');
  const meta =
    opened.meta_blob == null ? undefined : decoded('meta_blob', opened.meta_blob, ivBytes + tagBytes);

  const { subtle } = webCrypto();
  const aesKey = await subtle.importKey('raw', encryptionKey, 'AES-GCM', false, ['decrypt']);
  try {
    const secret = await subtle.decrypt(aesGcm(iv), aesKey, ciphertext);
    const metadata =
      meta &&
      (await subtle.decrypt(aesGcm(meta.subarray(0, ivBytes), metadataRole), aesKey, meta.subarray(ivBytes)));
    return { secret: plaintext(secret), metadata: metadata ? plaintext(metadata) : null };
  } catch {
    throw new ShareError('not_decrypted', 'The key does not open this share, or the share was altered.');
  }
}

function aesGcm(iv: Uint8Array<ArrayBuffer>, role?: Uint8Array<ArrayBuffer>) {
  const parameters = { name: 'AES-GCM', iv, tagLength: tagBytes * 8 };
  return role === undefined ? parameters : { ...parameters, additionalData: role };
}

function decoded(field: string, text: string, minBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = decodeBase64(text);
  if (bytes === undefined) throw new ShareError('invalid_payload', `${field} is not Base64.`);
  if (bytes.length < minBytes) throw new ShareError('invalid_payload', `${field} was cut.`);
  return bytes;
}

function plaintext(buffer: ArrayBuffer): Plaintext {
  const bytes = new Uint8Array(buffer);
  return {
    bytes,
    text() {
      try {
        // A byte order mark is part of the secret.
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      } catch {
        throw new ShareError('not_text', 'The share holds bytes that are not UTF-8 text.');
      }
    },
  };
}
