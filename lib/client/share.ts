import { decodeBase64, encodeBase64, encodeBase64Url } from './base64.ts';
import { bytesOf } from './bytes.ts';
import { ShareError } from './share-error.ts';
import { decodeKey, keyBytes } from './share-key.ts';
import { randomBytes, webCrypto } from './web-crypto.ts';

/** The body of POST /api/share, without `one_time` and `expires_in_hours`. */
export interface SharePayload {
  /** Base64 of ciphertext and tag. */
  data_blob: string;
  /** Base64 of the data's 12-byte IV. */
  iv: string;
  /** Base64 of the metadata's own IV, ciphertext and tag; null when there is no metadata. */
  meta_blob: string | null;
}

/** An encrypted share, and the key that decrypts it. */
export interface EncryptedShare {
  payload: SharePayload;
  /** 32 bytes in base64url, 43 characters. It belongs in the fragment of the link and must never reach the server. */
  key: string;
}

/** Decrypted bytes. */
export interface Plaintext {
  bytes: Uint8Array<ArrayBuffer>;
  /**
   * The bytes decoded as UTF-8, without any change.
   *
   * @throws {ShareError} `not_text`
   */
  text(): string;
}

/** The contents of a share. */
export interface DecryptedShare {
  secret: Plaintext;
  /** Null when the share has no metadata. */
  metadata: Plaintext | null;
}

const ivBytes = 12;
const tagBytes = 16;
/**
 * Additional data that binds a ciphertext to its role as metadata, so that a server cannot swap metadata and secret. The
 * secret has no additional data: any client of the service can read plain AES-256-GCM.
 */
const metadataRole = new TextEncoder().encode('vouchsafe-share-metadata');

/**
 * Encrypts a secret, and optional metadata, under a new random key.
 *
 * The API has one field `iv`, but an IV used twice under one key breaks AES-GCM. The metadata therefore has its own IV, in
 * front of its ciphertext.
 *
 * @param secret a string is encoded as UTF-8. The service accepts up to 1 MiB less 16 bytes.
 * @param metadata the service accepts up to 4 KiB less 28 bytes.
 * @throws TypeError when either is neither a string nor bytes
 */
export async function encryptShare(
  secret: string | Uint8Array,
  metadata?: string | Uint8Array,
): Promise<EncryptedShare> {
  const rawKey = randomBytes(keyBytes);
  const key = await webCrypto().subtle.importKey('raw', rawKey, 'AES-GCM', false, ['encrypt']);
  const seal = async (content: string | Uint8Array, role?: Uint8Array<ArrayBuffer>) => {
    const iv = randomBytes(ivBytes);
    const ciphertext = await webCrypto().subtle.encrypt(aesGcm(iv, role), key, bytesOf(content));
    return { iv, ciphertext: new Uint8Array(ciphertext) };
  };
  const data = await seal(secret);
  const meta = metadata === undefined ? undefined : await seal(metadata, metadataRole);
  return {
    payload: {
      data_blob: encodeBase64(data.ciphertext),
      iv: encodeBase64(data.iv),
      meta_blob: meta ? encodeBase64(joined(meta.iv, meta.ciphertext)) : null,
    },
    key: encodeBase64Url(rawKey),
  };
}

/**
 * Decrypts a share that {@link encryptShare} encrypted.
 *
 * @param opened the response of GET /api/share.
 * @throws {ShareError} `invalid_key`, `invalid_payload`, `not_decrypted`
 */
export async function decryptShare(
  opened: { data_blob: string; iv: string; meta_blob?: string | null | undefined },
  key: string,
): Promise<DecryptedShare> {
  const raw = decodeKey(key);
  const ciphertext = decoded('data_blob', opened.data_blob, tagBytes);
  const iv = decoded('iv', opened.iv, ivBytes);
  if (iv.length !== ivBytes) throw new ShareError('invalid_payload', 'iv does not hold 12 bytes.');
  const meta =
    opened.meta_blob == null ? undefined : decoded('meta_blob', opened.meta_blob, ivBytes + tagBytes);

  const { subtle } = webCrypto();
  const aesKey = await subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt']);
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

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
