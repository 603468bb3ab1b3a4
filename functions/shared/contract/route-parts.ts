export const commonErrors = {
  invalid: 'invalid_request',
  limited: 'rate_limited',
  failed: 'server_error',
} as const;

export const unlimitedErrors = { invalid: 'invalid_request', failed: 'server_error' } as const;

export const idempotencyErrors = ['idempotency_mismatch', 'idempotency_in_progress'] as const;

/** The authentication of endpoints for people who do the books. */
export const sellerRoute = { auth: 'seller', operatorScope: 'finance', concurrentRateLimit: true } as const;

export const apiKeyRoute = { auth: 'apiKey', concurrentRateLimit: true } as const;

/** The refusals of a caller who may be an operator: they can name an application that does not exist. */
export const refusals = ['invalid_token', 'not_found'] as const;
