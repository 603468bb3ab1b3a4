/**
 * - `invalid_key`: the text is not a share key; it may have been truncated or altered.
 * - `invalid_payload`: a field is not Base64, or is too short.
 * - `not_decrypted`: the key belongs to another share, or the share was altered. These cannot be distinguished.
 * - `not_text`: the bytes are not UTF-8.
 * - `invalid_link`: the arguments make no valid link, or the text is not a link to a share.
 */
export type ShareErrorCode =
  | 'invalid_key'
  | 'invalid_payload'
  | 'not_decrypted'
  | 'not_text'
  | 'invalid_link';

/** An error of a share or its link. The message never contains the key, the link or the secret. */
export class ShareError extends Error {
  readonly code: ShareErrorCode;

  constructor(code: ShareErrorCode, message: string) {
    super(message);
    this.name = 'ShareError';
    this.code = code;
  }
}
