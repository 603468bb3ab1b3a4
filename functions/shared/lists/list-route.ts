import { csvResponse } from './contract.ts';
import { ListHeaders } from './requests.ts';

/** Common to all lists. */
export const listRoute = {
  method: 'GET',
  auth: 'seller',
  operatorScope: 'finance',
  concurrentRateLimit: true,
  headers: ListHeaders,
  responseHeaders: ['vary'],
  otherResponses: [csvResponse],
  errors: {
    invalid: 'invalid_request',
    limited: 'rate_limited',
    failed: 'server_error',
    also: ['invalid_token', 'not_found'],
  },
} as const;

/** The grant of all lists. */
export const indexes = { listed: ['LIST'] } as const;
