import { randomBytes } from '../web-crypto.ts';
import { accessProof, deriveKeys } from './derived-keys.ts';
import { seal, unseal } from './sealed-share.ts';
import { ShareError } from './share-error.ts';
import { decodeKey, encodeKey, type KeyForm, keyBytes } from './share-key.ts';
import type { DecryptedShare, SealedPayload, SharePayload } from './share-payload.ts';

export interface EncryptedShare {
  payload: SharePayload;
  /**
   * 32 bytes in base64url, 43 characters, after `k` with an access proof and `p` with a passphrase. It belongs in the
   * fragment of the link and must never reach the server.
   */
  key: string;
}

/** How a share is protected beside its random key. */
export interface ShareProtection {
  /** Whether the service returns the share only to callers who prove that they know the key. */
  accessProof?: boolean;
  /** Needed to open the share, beside the link. It is normalized (NFC). A share with a passphrase has an access proof. */
  passphrase?: string;
}

/**
 * Encrypts a secret, and optional metadata, under a new random key.
 *
 * @param secret a string is encoded as UTF-8. The service accepts up to 1 MiB less 16 bytes.
 * @param metadata the service accepts up to 4 KiB less 28 bytes.
 * @throws {ShareError} `invalid_request` for an empty passphrase
 * @throws TypeError when secret or metadata is neither a string nor bytes
 */
export async function encryptShare(
  secret: string | Uint8Array,
  metadata?: string | Uint8Array,
  protection: ShareProtection = {},
): Promise<EncryptedShare> {
  const { passphrase } = protection;
  if (passphrase !== undefined && (typeof passphrase !== 'string' || passphrase === '')) {
    throw new ShareError('invalid_request', 'The passphrase must not be empty.');
  }
  const key = { form: formFor(protection), bytes: randomBytes(keyBytes) };
  const { encryptionKey, proof } = await deriveKeys(key, passphrase);
  const sealed = await seal(encryptionKey, secret, metadata);
  const payload: SharePayload =
    proof === undefined ? sealed : Object.assign(sealed, { access_proof: await accessProof(proof) });
  return { payload, key: encodeKey(key) };
}

/**
 * Decrypts a share that {@link encryptShare} encrypted.
 *
 * @param opened the response of GET /api/share.
 * @throws {ShareError} `invalid_key`, `invalid_payload`, `not_decrypted`, `passphrase_required`
 */
export async function decryptShare(
  opened: SealedPayload,
  key: string,
  { passphrase }: Pick<ShareProtection, 'passphrase'> = {},
): Promise<DecryptedShare> {
  const { encryptionKey } = await deriveKeys(decodeKey(key), passphrase);
  return unseal(encryptionKey, opened);
}

/**
 * Computes the value of the header `x-share-proof` that opens a share with an access proof.
 *
 * @returns 43 characters of base64url; undefined for a key of 43 characters, whose share needs none.
 * @throws {ShareError} `invalid_key`, `passphrase_required`
 */
export async function shareProof(
  key: string,
  { passphrase }: Pick<ShareProtection, 'passphrase'> = {},
): Promise<string | undefined> {
  return (await deriveKeys(decodeKey(key), passphrase)).proof;
}

function formFor({ accessProof, passphrase }: ShareProtection): KeyForm {
  if (passphrase !== undefined) return 'passphrase';
  return accessProof === true ? 'proof' : 'plain';
}
