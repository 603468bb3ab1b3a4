export const applicationRoute = {
  auth: 'application',
  operatorScope: 'support',
  concurrentRateLimit: true,
} as const;

export const idempotency = ['GetItem', 'PutItem'] as const;
