/**
 * The one table of errors: code -> HTTP status and the texts a caller reads.
 *
 * Statuses, bodies and the OpenAPI document are all read from here. Rows without a `message` belong to the
 * vault service, whose errors are `{ error, details? }` with a sentence as `error`; rows with a `message`
 * answer `{ error, message, details? }` with a machine-readable code as `error`.
 */
export const errorTable = {
  share_invalid: { status: 400, error: 'Invalid payload' },
  share_limited: { status: 429, error: 'Too many requests' },
  share_create_failed: { status: 500, error: 'Share creation failed' },
  share_missing_id: { status: 400, error: 'Missing ID' },
  share_gone: { status: 404, error: 'Link not found or expired' },
  share_read_failed: { status: 500, error: 'Retrieval failed' },
  device_invalid: { status: 400, error: 'Invalid request data' },
  device_limited: { status: 429, error: 'Too many requests. Please try again later.' },
  device_failed: { status: 500, error: 'Internal Server Error' },
  devices_missing_user: { status: 400, error: 'Missing userId' },
  devices_failed: { status: 500, error: 'Failed to fetch devices' },
  revoke_missing: { status: 400, error: 'Missing parameters' },
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
  server_error: {
    status: 500,
    error: 'server_error',
    message: 'Something failed on our side. Quote the x-audit-id header when you report it.',
  },
} as const satisfies Record<string, ErrorRow>;

interface ErrorRow {
  readonly status: 400 | 401 | 403 | 404 | 409 | 422 | 429 | 500;
  readonly error: string;
  readonly message?: string;
}

export type ErrorCode = keyof typeof errorTable;

/** The JSON body of every error. `details` names each offending field, or what the caller should do next. */
export interface ErrorBody {
  error: string;
  message?: string;
  details?: Record<string, unknown>;
}

/** What API Gateway answers itself, before any function runs; same shape, set as its gateway responses. */
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

/** The only error that reaches a caller; anything else becomes the route's 500 and one log record. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
  /** Whole seconds, sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, more: { details?: Record<string, unknown>; retryAfterSeconds?: number } = {}) {
    super(code);
    this.name = 'ApiError';
    this.code = code;
    this.details = more.details;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  get body(): ErrorBody {
    return errorBody(errorTable[this.code], this.details);
  }
}

/** `{ error, message?, details? }` for a row of either table. */
export function errorBody(
  row: { readonly error: string; readonly message?: string },
  details?: Record<string, unknown>,
): ErrorBody {
  return {
    error: row.error,
    ...(row.message === undefined ? {} : { message: row.message }),
    ...(details === undefined ? {} : { details }),
  };
}
