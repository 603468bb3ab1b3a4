import { decodeBase64, encodeBase64, encodeBase64Url } from './base64.ts';
import { ShareError } from './share-error.ts';
import { decodeKey, keyBytes } from './share-key.ts';
import { randomBytes, webCrypto } from './web-crypto.ts';

/** What POST /api/share takes, beside `one_time` and `expires_in_hours`. */
export interface SharePayload {
  /** Base64 of ciphertext and tag. */
  data_blob: string;
  /** Base64 of the data's 12-byte IV. */
  iv: string;
  /** Base64 of the metadata's own IV, ciphertext and tag; null without metadata. */
  meta_blob: string | null;
}

export interface EncryptedShare {
  payload: SharePayload;
  /** 32 bytes in base64url, 43 characters. For the fragment of the link, and never for the server. */
  key: string;
}

/** Decrypted bytes. */
export interface Plaintext {
  bytes: Uint8Array<ArrayBuffer>;
  /**
   * The bytes as UTF-8, to the character.
   *
   * @throws {ShareError} `not_text`
   */
  text(): string;
}

export interface DecryptedShare {
  secret: Plaintext;
  /** Null when the share has none. */
  metadata: Plaintext | null;
}

const ivBytes = 12;
const tagBytes = 16;
/**
 * Tells the ciphertext of metadata from that of data, so that a server cannot show one for the other. Data has no
 * additional data: it is AES-256-GCM and nothing else, readable by any client of the service.
 */
const metadataRole = new TextEncoder().encode('vouchsafe-share-metadata');

/**
 * Encrypts a secret, and what is to be known about it, under a fresh random key.
 *
 * The API has one `iv`, and an IV used twice under one key gives AES-GCM away. So the metadata has an IV of its own,
 * in front of its ciphertext.
 *
 * @param secret a string is encrypted as UTF-8. The service takes up to 1 MiB less 16 bytes.
 * @param metadata the service takes up to 4 KiB less 28 bytes.
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
 * @param opened the answer of GET /api/share.
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
  return { name: 'AES-GCM', iv, tagLength: tagBytes * 8, ...(role && { additionalData: role }) };
}

/** A copy: WebCrypto refuses memory that is shared between threads. */
function bytesOf(content: string | Uint8Array): Uint8Array<ArrayBuffer> {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  // Anything else would be encrypted as nothing, or as zeros, and the secret lost.
  if (!ArrayBuffer.isView(content)) throw new TypeError('A share holds a string or a Uint8Array.');
  return new Uint8Array(content.buffer, content.byteOffset, content.byteLength).slice();
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
        // A byte order mark is part of the secret, too.
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
