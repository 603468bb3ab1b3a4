/**
 * - `invalid_key`: the text is not a share key; it may have been truncated or altered.
 * - `invalid_payload`: a field is not Base64, or is too short.
 * - `not_decrypted`: the key belongs to another share, or the share was altered. These cannot be distinguished.
 * - `not_text`: the bytes are not UTF-8.
 * - `invalid_link`: the arguments make no valid link, or the text is not a link to a share or a receipt.
 * - `passphrase_required`: the share is protected with a passphrase, and none was given. Nothing was sent.
 * - `wrong_passphrase`: the service refused the passphrase. The share is as it was.
 * - `share_gone`: the share was opened, burned or has expired, or never existed. The service does not tell which.
 * - `rate_limited`: too many requests, or too many wrong passphrases; `retryAfterSeconds` says how long to wait.
 * - `too_large`: content or file names are larger than a share may be.
 * - `invalid_request`: the arguments are not valid, or the service refused them; `details` name them.
 * - `server_error`: the service failed; `auditId` names the log record.
 * - `unreachable`: no answer of the service arrived. Whether it received the request is unknown.
 */
export type ShareErrorCode =
  | 'invalid_key'
  | 'invalid_payload'
  | 'not_decrypted'
  | 'not_text'
  | 'invalid_link'
  | 'passphrase_required'
  | 'wrong_passphrase'
  | 'share_gone'
  | 'rate_limited'
  | 'too_large'
  | 'invalid_request'
  | 'server_error'
  | 'unreachable';

export type ShareErrorFacts = Partial<
  Pick<ShareError, 'status' | 'retryAfterSeconds' | 'details' | 'auditId' | 'cause'>
>;

/** An error of a share or its link. The message never contains the key, the link, the passphrase or the secret. */
export class ShareError extends Error {
  readonly code: ShareErrorCode;
  /** The HTTP status; undefined when no answer arrived. */
  readonly status: number | undefined;
  /** With `rate_limited`: whole seconds after which the same request is let through. */
  readonly retryAfterSeconds: number | undefined;
  /** `details` of the answer. */
  readonly details: unknown;
  /** With `server_error`: names the log record of the cause. */
  readonly auditId: string | undefined;

  constructor(code: ShareErrorCode, message: string, facts: ShareErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'ShareError';
    this.code = code;
    this.status = facts.status;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.details = facts.details;
    this.auditId = facts.auditId;
  }
}
