import * as grants from '../../subscriptions/api/grants.ts';

/** Common to all endpoints for people who do the books. */
export const sellerRoute = { auth: 'seller', operatorScope: 'finance', concurrentRateLimit: true } as const;

export const commonErrors = {
  invalid: 'invalid_request',
  limited: 'rate_limited',
  failed: 'server_error',
} as const;

/** What moves the money of a payment. */
export const movedPaymentTable = { ...grants.paymentTable, PAYMENT: ['GetItem', 'PutItem'] } as const;

export const indexes = { listed: ['LIST'] } as const;

export const errors = {
  invalid: 'invalid_request',
  limited: 'rate_limited',
  failed: 'server_error',
} as const;

/** An operator can name an application that does not exist. */
export const refusals = ['invalid_token', 'not_found'] as const;
