/**
 * - `device_not_verified`: the device has to be verified (again) with a mailed code.
 * - `device_proof_refused`: the service refused the DPoP proof twice, although it knows the device. The clock of the device
 *   is wrong and could not be corrected, or a proxy changed the request.
 * - `proof_invalid`: the proof of the master password is wrong, or the access token has expired.
 * - `proof_locked`: too many wrong proofs of the master password.
 * - `code_invalid`: the mailed code is wrong, used or expired.
 * - `vault_not_found`: nothing has been stored yet.
 * - `vault_conflict`: another version has been stored since; `version` is its number.
 * - `rate_limited`: too many requests.
 * - `invalid_request`: the service refused the arguments; `details` name them.
 * - `server_error`: the service failed.
 * - `unreachable`: no answer of the service arrived. Whether it received the request is unknown.
 * - `invalid_key`, `invalid_payload`, `not_decrypted`: of {@link encryptVault} and {@link decryptVault}.
 */
export type VaultErrorCode =
  | 'device_not_verified'
  | 'device_proof_refused'
  | 'proof_invalid'
  | 'proof_locked'
  | 'code_invalid'
  | 'vault_not_found'
  | 'vault_conflict'
  | 'rate_limited'
  | 'invalid_request'
  | 'server_error'
  | 'unreachable'
  | 'invalid_key'
  | 'invalid_payload'
  | 'not_decrypted';

export type VaultErrorFacts = Partial<
  Pick<VaultError, 'status' | 'deviceId' | 'version' | 'retryAfterSeconds' | 'details' | 'auditId' | 'cause'>
>;

/** An error of the vault or its devices. No message contains a proof, a token or content. */
export class VaultError extends Error {
  readonly code: VaultErrorCode;
  /** The HTTP status; undefined when no answer arrived. */
  readonly status: number | undefined;
  /** With `device_not_verified` and `device_proof_refused`. */
  readonly deviceId: string | undefined;
  /** With `vault_conflict`: the version that is stored. */
  readonly version: number | undefined;
  /** With `rate_limited` and `proof_locked`: whole seconds after which the same request is let through. */
  readonly retryAfterSeconds: number | undefined;
  /** `details` of the answer. */
  readonly details: unknown;
  /** With `server_error`: names the log record of the cause. */
  readonly auditId: string | undefined;

  constructor(code: VaultErrorCode, message: string, facts: VaultErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'VaultError';
    this.code = code;
    this.status = facts.status;
    this.deviceId = facts.deviceId;
    this.version = facts.version;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.details = facts.details;
    this.auditId = facts.auditId;
  }
}
