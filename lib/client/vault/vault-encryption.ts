import { decodeBase64, encodeBase64 } from '../base64.ts';
import { bytesOf } from '../bytes.ts';
import { randomBytes, webCrypto } from '../web-crypto.ts';
import { VaultError } from './vault-error.ts';

/** A key for AES-256-GCM: a `CryptoKey` with the usages `encrypt` and `decrypt`, or its 32 bytes. */
export type VaultKey =
  | Uint8Array
  | { readonly type: string; readonly extractable: boolean; readonly usages: readonly string[] };

export interface EncryptedVault {
  /** Base64 of ciphertext and tag. */
  data_blob: string;
  /** Base64 of the 12-byte IV. */
  iv: string;
}

type CryptoKey = Parameters<typeof crypto.subtle.encrypt>[1];

const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a vault with AES-256-GCM and a new random IV.
 *
 * The key must not follow from `authHash`, which the service sees. Derive it from the master password with another salt.
 *
 * @param content a string is encoded as UTF-8. The service accepts up to 3 MiB less 16 bytes.
 * @throws {VaultError} `invalid_key`
 * @throws TypeError when the content is neither a string nor bytes
 */
export async function encryptVault(content: string | Uint8Array, key: VaultKey): Promise<EncryptedVault> {
  const iv = randomBytes(ivBytes);
  const cryptoKey = await imported(key);
  const ciphertext = await webCrypto().subtle.encrypt({ name: 'AES-GCM', iv }, cryptoKey, bytesOf(content));
  return { data_blob: encodeBase64(new Uint8Array(ciphertext)), iv: encodeBase64(iv) };
}

/**
 * Decrypts a vault that {@link encryptVault} encrypted.
 *
 * @param vault the response of GET /api/vault.
 * @throws {VaultError} `invalid_key`, `invalid_payload`, `not_decrypted`
 */
export async function decryptVault(
  { data_blob, iv }: EncryptedVault,
  key: VaultKey,
): Promise<Uint8Array<ArrayBuffer>> {
  const ciphertext = decodeBase64(data_blob);
  const ivOf = decodeBase64(iv);
  if (ciphertext === undefined || ciphertext.length < tagBytes || ivOf?.length !== ivBytes) {
    throw new VaultError('invalid_payload', 'data_blob or iv is not Base64, or was cut.');
  }
  const cryptoKey = await imported(key);
  try {
    const bytes = await webCrypto().subtle.decrypt({ name: 'AES-GCM', iv: ivOf }, cryptoKey, ciphertext);
    return new Uint8Array(bytes);
  } catch {
    throw new VaultError('not_decrypted', 'The key does not open this vault, or the vault was altered.');
  }
}

async function imported(key: VaultKey): Promise<CryptoKey> {
  if (isCryptoKey(key)) return key;
  if (!(key instanceof Uint8Array) || key.length !== keyBytes)
    throw new VaultError('invalid_key', 'The key must be a CryptoKey or 32 bytes.');
  return webCrypto().subtle.importKey('raw', bytesOf(key), 'AES-GCM', false, ['encrypt', 'decrypt']);
}

const isCryptoKey = (key: VaultKey): key is CryptoKey => 'algorithm' in key;
