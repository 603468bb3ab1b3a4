import { decodeBase64, encodeBase64Url } from '../base64.ts';
import { ShareError } from './share-error.ts';

export const keyBytes = 32;

/**
 * The purpose of the key of a link.
 *
 * - `plain`: the key decrypts the share. The service hands the share to anyone who knows its id.
 * - `proof`: the encryption key and the share proof, which the service asks for, are derived from it.
 * - `passphrase`: the same, and a passphrase is part of the derivation.
 */
export type KeyForm = 'plain' | 'proof' | 'passphrase';

export interface LinkKey {
  form: KeyForm;
  bytes: Uint8Array<ArrayBuffer>;
}

const prefixes: Record<KeyForm, string> = { plain: '', proof: 'k', passphrase: 'p' };

/** The key as it stands in a link. */
export const encodeKey = ({ form, bytes }: LinkKey): string => prefixes[form] + encodeBase64Url(bytes);

/**
 * Decodes the key of a link: 43 characters of base64url, or `k` or `p` and 43 characters.
 *
 * @throws {ShareError} `invalid_key`
 */
export function decodeKey(key: string): LinkKey {
  const form = formOf(key);
  const bytes = form && decodeBase64(key.slice(prefixes[form].length));
  // Compared with its canonical form: padding, the other alphabet and stray bits mean that the key was altered.
  if (form === undefined || bytes?.length !== keyBytes || encodeKey({ form, bytes }) !== key) {
    throw new ShareError(
      'invalid_key',
      'The key must be 32 bytes in base64url without padding: 43 characters, after "k" or "p" if it needs a proof.',
    );
  }
  return { form, bytes };
}

/** By length and first letter; 43 characters may begin with any letter. */
function formOf(key: string): KeyForm | undefined {
  // JavaScript callers may pass any value.
  if (typeof key !== 'string') return undefined;
  if (key.length === 43) return 'plain';
  if (key.startsWith(prefixes.proof)) return 'proof';
  return key.startsWith(prefixes.passphrase) ? 'passphrase' : undefined;
}
