import { commonErrors, unlimitedErrors } from '../contract/route-parts.ts';
import { nextCursorField } from '../fields/page.ts';
import { AcceptHeaders } from '../lambda/content-negotiation.ts';
import { csvResponse } from './contract.ts';

/** Common to all lists of an application. */
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

/** Common to the lists of operators, across applications. */
export const operatorListRoute = {
  method: 'GET',
  auth: 'operator',
  headers: AcceptHeaders,
  responseHeaders: ['vary'],
  otherResponses: [csvResponse],
  errors: { ...unlimitedErrors, also: ['invalid_token'] },
} as const;

/** The grant of all lists of an application. */
export const indexes = { listed: ['LIST'] } as const;

export const nextCursor = nextCursorField('Present when there may be more.');
