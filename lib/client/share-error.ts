/**
 * - `invalid_key`: the text is no share key; it was cut or altered, or is something else.
 * - `invalid_payload`: a field is not Base64, or too short for what it must hold.
 * - `not_decrypted`: the key is another share's, or the share was altered. Nothing can tell which.
 * - `not_text`: the bytes are not UTF-8.
 * - `invalid_link`: no link can be made, or the text is no link to a share.
 */
export type ShareErrorCode =
  | 'invalid_key'
  | 'invalid_payload'
  | 'not_decrypted'
  | 'not_text'
  | 'invalid_link';

/** What goes wrong with a share or its link. The message never holds the key, the link or the secret. */
export class ShareError extends Error {
  readonly code: ShareErrorCode;

  constructor(code: ShareErrorCode, message: string) {
    super(message);
    this.name = 'ShareError';
    this.code = code;
  }
}
