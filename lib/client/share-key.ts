import { decodeBase64, encodeBase64Url } from './base64.ts';
import { ShareError } from './share-error.ts';

export const keyBytes = 32;

/**
 * Decodes the 32 bytes of a key.
 *
 * @throws {ShareError} `invalid_key`
 */
export function decodeKey(key: string): Uint8Array<ArrayBuffer> {
  const bytes = decodeBase64(key);
  // Compared with its canonical form: padding, the other alphabet and stray bits mean that the key was altered.
  if (bytes?.length !== keyBytes || encodeBase64Url(bytes) !== key) {
    throw new ShareError(
      'invalid_key',
      'The key must be 32 bytes in base64url without padding: 43 characters.',
    );
  }
  return bytes;
}
