export const applicationRoute = {
  auth: 'application',
  operatorScope: 'support',
  concurrentRateLimit: true,
} as const;

/** An operator can name an application that does not exist. */
export const refusals = ['invalid_token', 'not_found'] as const;

export const idempotency = ['GetItem', 'PutItem'] as const;
