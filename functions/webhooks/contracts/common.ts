export const applicationRoute = {
  auth: 'application',
  operatorScope: 'support',
  concurrentRateLimit: true,
} as const;

export const errors = {
  invalid: 'invalid_request',
  limited: 'rate_limited',
  failed: 'server_error',
} as const;

/** An operator can name an application that does not exist. */
export const refusals = ['invalid_token', 'not_found'] as const;

export const idempotencyErrors = ['idempotency_mismatch', 'idempotency_in_progress'] as const;

export const idempotency = ['GetItem', 'PutItem'] as const;

export const commonErrors = {
  invalid: 'invalid_request',
  limited: 'rate_limited',
  failed: 'server_error',
} as const;
