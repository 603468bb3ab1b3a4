import type { DocumentedErrorCode } from './schema.ts';

/**
 * The errors of the client itself:
 *
 * - `wrong_key`: the key is missing, of another kind than the operation takes, or one that no browser may have. Nothing was sent.
 * - `timeout`: no complete answer arrived in time. Whether the request was carried out is unknown.
 * - `unreachable`: no connection was made.
 * - `connection_lost`: the connection ended before the answer did. Whether the request was carried out is unknown.
 * - `unexpected_answer`: another server answered, such as a proxy with a page of its own.
 * - `not_ready`: the answer is being prepared, and is no text yet. As JSON it says so in `status`, and is no error.
 * - `repeated_page`: a list returned to a page that it had before.
 */
export type ClientErrorCode =
  | 'wrong_key'
  | 'timeout'
  | 'unreachable'
  | 'connection_lost'
  | 'unexpected_answer'
  | 'not_ready'
  | 'repeated_page';

/** A code. A newer service may send one that is not listed. */
export type VouchsafeErrorCode = DocumentedErrorCode | ClientErrorCode | (string & {});

export type VouchsafeErrorFacts = Partial<
  Pick<VouchsafeError, 'status' | 'details' | 'requestId' | 'auditId' | 'retryAfterSeconds' | 'cause'>
>;

/** A call failed. Compare `code`: the wording of the message may change. No message contains a key. */
export class VouchsafeError extends Error {
  readonly code: VouchsafeErrorCode;
  /** The HTTP status. Undefined when no answer arrived. */
  readonly status: number | undefined;
  /** Each invalid field with its problem, or the next step to take. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** Identifies the request. Quote it in questions about it. */
  readonly requestId: string | undefined;
  /** Names the log record of a failure of the service. */
  readonly auditId: string | undefined;
  /** Whole seconds after which the same request is let through. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: VouchsafeErrorCode, message: string, facts: VouchsafeErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'VouchsafeError';
    this.code = code;
    this.status = facts.status;
    this.details = facts.details;
    this.requestId = facts.requestId;
    this.auditId = facts.auditId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}
