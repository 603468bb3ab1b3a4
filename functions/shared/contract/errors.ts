import { defined } from './defined.ts';

/**
 * The one table of errors: the HTTP status and the texts of each code.
 *
 * Responses and the OpenAPI document are derived from it. There are three shapes:
 *
 * - `{ error, details? }` with a sentence as `error`: shares, devices and vault.
 * - `{ error, message, details? }` with a code as `error`, for a row with a `message`: all other services.
 * - `{ error, error_description }` of RFC 6749 section 5.2, for a row with a `description`: OAuth.
 */
export const errorTable = {
  share_invalid: { status: 400, error: 'Invalid payload' },
  share_limited: { status: 429, error: 'Too many requests' },
  share_create_failed: { status: 500, error: 'Share creation failed' },
  share_missing_id: { status: 400, error: 'Missing ID' },
  share_gone: { status: 404, error: 'Link not found or expired' },
  share_proof_wrong: { status: 403, error: 'Wrong or missing share proof' },
  share_read_failed: { status: 500, error: 'Retrieval failed' },
  share_burn_failed: { status: 500, error: 'Deletion failed' },
  device_invalid: { status: 400, error: 'Invalid request data' },
  device_limited: { status: 429, error: 'Too many requests. Please try again later.' },
  device_failed: { status: 500, error: 'Internal Server Error' },
  devices_missing_user: { status: 400, error: 'Missing userId' },
  devices_failed: { status: 500, error: 'Failed to fetch devices' },
  revoke_missing: { status: 400, error: 'Missing parameters' },
  revoke_limited: { status: 429, error: 'Too many requests' },
  revoke_failed: { status: 500, error: 'Delete failed' },
  code_email_invalid: { status: 400, error: 'Invalid email' },
  code_send_limited: { status: 429, error: 'Too many codes sent. Try again later.' },
  code_send_failed: { status: 500, error: 'Failed to send code' },
  code_wrong: { status: 400, error: 'Invalid or expired code' },
  code_data_invalid: { status: 400, error: 'Invalid data' },
  code_verify_limited: { status: 429, error: 'Too many attempts' },
  code_verify_failed: { status: 500, error: 'Verification failed' },
  device_not_verified: { status: 403, error: 'Device not verified' },
  proof_invalid: { status: 401, error: 'Invalid authHash or expired session' },
  proof_locked: { status: 429, error: 'Too many failed attempts. Try again later.' },
  vault_invalid: { status: 400, error: 'Invalid request data' },
  vault_absent: { status: 404, error: 'Vault not found' },
  vault_conflict: { status: 409, error: 'Vault conflict' },
  vault_limited: { status: 429, error: 'Too many requests' },
  vault_failed: { status: 500, error: 'Internal Server Error' },
  invalid_request: {
    status: 400,
    error: 'invalid_request',
    message: 'The request is not valid; details say what is wrong.',
  },
  limit_exceeded: {
    status: 400,
    error: 'limit_exceeded',
    message: 'The request asks for more than one may hold.',
  },
  invalid_token: {
    status: 401,
    error: 'invalid_token',
    message: 'The token or secret is missing, expired, revoked or of another kind.',
    challenge: 'Bearer error="invalid_token"',
  },
  insufficient_scope: {
    status: 403,
    error: 'insufficient_scope',
    message: 'The token or key does not have the scope that details name.',
    challenge: 'Bearer error="insufficient_scope"',
  },
  user_not_verified: {
    status: 403,
    error: 'user_not_verified',
    message: 'The user has no active, verified profile.',
  },
  not_found: { status: 404, error: 'not_found', message: 'There is no such record, or it is not yours.' },
  conflict: {
    status: 409,
    error: 'conflict',
    message:
      'It is not possible as things are, or something has changed in the meantime. Details say what, where it is known. Nothing was done.',
  },
  money_moving: {
    status: 409,
    error: 'conflict',
    message:
      'Another request moved the money of this payment at the same time. A part of this request may be done already: send it again, and it does the rest.',
  },
  invalid_transition: {
    status: 409,
    error: 'invalid_transition',
    message: 'It is not in a state for this; details say in which it is. Nothing was done.',
  },
  webhook_refused: {
    status: 400,
    error: 'invalid_request',
    message: 'The signature is missing, wrong or too old.',
  },
  checkout_unavailable: {
    status: 503,
    error: 'checkout_unavailable',
    message:
      'The payment service does not respond, or the application has no valid keys for it. Nothing was charged. Try again after the seconds of Retry-After; if it goes on, the application has to check its keys.',
  },
  idempotency_in_progress: {
    status: 409,
    error: 'idempotency_in_progress',
    message: 'A request with this Idempotency-Key is still being carried out. Try again in a moment.',
  },
  idempotency_mismatch: {
    status: 422,
    error: 'idempotency_mismatch',
    message: 'This Idempotency-Key was used with another request. Take a new key.',
  },
  rate_limited: {
    status: 429,
    error: 'rate_limited',
    message: 'Too many requests. Try again after the seconds of Retry-After, then back off.',
  },
  oauth_invalid_request: {
    status: 400,
    error: 'invalid_request',
    description: 'A parameter is missing, repeated or malformed',
  },
  oauth_invalid_client: {
    status: 401,
    error: 'invalid_client',
    description: 'The client is unknown, or did not prove who it is',
    challenge: 'Basic realm="oauth", charset="UTF-8"',
  },
  oauth_invalid_grant: {
    status: 400,
    error: 'invalid_grant',
    description: 'The code or token is wrong, expired, used, or was given to another client',
  },
  oauth_unauthorized_client: {
    status: 400,
    error: 'unauthorized_client',
    description: 'The client may not use this grant',
  },
  oauth_unsupported_grant_type: {
    status: 400,
    error: 'unsupported_grant_type',
    description: 'The grants are authorization_code and refresh_token',
  },
  oauth_invalid_scope: {
    status: 400,
    error: 'invalid_scope',
    description: 'The scope is unknown, or more than was granted',
  },
  oauth_limited: {
    status: 429,
    error: 'temporarily_unavailable',
    description: 'Too many requests; try again after the seconds of Retry-After',
  },
  oauth_failed: { status: 500, error: 'server_error', description: 'Something failed on our side' },
  foreign_form: {
    status: 403,
    error: 'forbidden',
    message:
      'The form was sent by a page of another site. Nothing was done. Open the page itself, and start there.',
  },
  server_error: {
    status: 500,
    error: 'server_error',
    message: 'Something failed on our side. Quote the x-audit-id header when you report it.',
  },
} as const satisfies Record<string, ErrorRow>;

interface ErrorRow {
  readonly status: 400 | 401 | 403 | 404 | 409 | 422 | 429 | 500 | 503;
  readonly error: string;
  /** Makes the body `{ error, message, details? }`. */
  readonly message?: string;
  readonly description?: string;
  readonly challenge?: string;
}

export type ErrorCode = keyof typeof errorTable;

/** The JSON body of every error. `details` names each offending field, or what the caller can do next. */
export interface ErrorBody {
  error: string;
  message?: string;
  error_description?: string;
  details?: Record<string, unknown>;
}

/** Errors that API Gateway returns itself, deployed as gateway responses of the same shape. */
export const gatewayErrors = {
  not_found: { status: 404, error: 'not_found', message: 'No such path. The reference is at /docs.' },
  method_not_allowed: {
    status: 405,
    error: 'method_not_allowed',
    message: 'This path does not have that method; the Allow header lists those it has.',
  },
  payload_too_large: { status: 413, error: 'payload_too_large', message: 'The request is over 10 MB.' },
  invalid_request: { status: 400, error: 'invalid_request', message: 'The request could not be read.' },
  rate_limited: { status: 429, error: 'rate_limited', message: 'Too many requests. Try again later.' },
  forbidden: { status: 403, error: 'forbidden', message: 'The request was refused.' },
  server_error: { status: 500, error: 'server_error', message: 'Something failed on our side.' },
  bad_gateway: { status: 502, error: 'server_error', message: 'Something failed on our side.' },
  timeout: { status: 504, error: 'server_error', message: 'The answer took too long. Try again.' },
} as const;

export type GatewayErrorCode = keyof typeof gatewayErrors;

/** The only error that reaches a caller. Any other error becomes the route's 500 and one log record. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    options: { details?: Record<string, unknown>; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(code, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  get challenge(): string | undefined {
    const row: ErrorRow = errorTable[this.code];
    return row.challenge;
  }

  get body(): ErrorBody {
    return errorBody(errorTable[this.code], this.details);
  }
}

/** A record that a request names. @throws ApiError `not_found` */
export function found<T>(record: T | undefined): T {
  if (record === undefined) throw new ApiError('not_found');
  return record;
}

/** The body of a row of either table. OAuth has no `details`: they become part of the description. */
export function errorBody(
  row: Pick<ErrorRow, 'error' | 'message' | 'description'>,
  details?: Record<string, unknown>,
): ErrorBody {
  if (row.description !== undefined) {
    const fields = Object.entries(details ?? {}).map(([name, problem]) => `${name} ${problem}`);
    // RFC 6749 excludes quotes, backslashes and non-ASCII characters from error_description.
    const text = [row.description, ...fields].join('; ').replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?');
    return { error: row.error, error_description: text };
  }
  return defined({ error: row.error, message: row.message, details });
}
