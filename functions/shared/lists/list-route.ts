import { commonErrors } from '../contract/route-parts.ts';
import { nextCursorField } from '../fields/page.ts';
import { AcceptHeaders } from '../lambda/content-negotiation.ts';
import { csvResponse } from './contract.ts';

/** Common to all lists. */
export const listRoute = {
  method: 'GET',
  auth: 'seller',
  operatorScope: 'finance',
  concurrentRateLimit: true,
  headers: AcceptHeaders,
  responseHeaders: ['vary'],
  otherResponses: [csvResponse],
  errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
} as const;

/** The grant of all lists. */
export const indexes = { listed: ['LIST'] } as const;

export const nextCursor = nextCursorField('Present when there may be more.');
