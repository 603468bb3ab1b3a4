/** Common to all endpoints for applications. */
export const applicationRoute = { auth: 'apiKey', concurrentRateLimit: true } as const;

export const commonErrors = {
  invalid: 'invalid_request',
  limited: 'rate_limited',
  failed: 'server_error',
} as const;

export const idempotencyErrors = ['idempotency_mismatch', 'idempotency_in_progress'] as const;

/** An invoice or a credit note for people. */
export const documentResponses = [
  {
    status: 200,
    description: 'The document in the media type that `Accept` prefers.',
    mediaType: 'text/html',
    headers: ['vary', 'content-disposition', 'content-security-policy', 'x-frame-options', 'referrer-policy'],
  },
  {
    status: 200,
    description: 'Bytes are returned only if `application/pdf` is the first media type of `Accept`.',
    mediaType: 'application/pdf',
    headers: ['vary', 'content-disposition'],
  },
] as const;

export const operatorErrors = { invalid: 'invalid_request', failed: 'server_error' } as const;
