import type { OtherResponse } from '../contract/other-responses.ts';
import { commonErrors, unlimitedErrors } from '../contract/route-parts.ts';
import { nextCursorField } from '../fields/page.ts';
import { AcceptHeaders } from '../lambda/content-negotiation.ts';

export const csvResponse: OtherResponse = {
  status: 200,
  description:
    'The same page as CSV (RFC 4180), with a header row, if `Accept` prefers `text/csv`. Amounts are numbers, with a dot and all decimals of their currency, which has a column. A record with amounts in several currencies has a row for each. A text that a spreadsheet would take for a formula gets an apostrophe in front, whether the spreadsheet separates cells by commas, semicolons or tabs. `Link` leads to the next page.',
  mediaType: 'text/csv',
  headers: ['vary', 'link'],
};

export const pagesDescription = `\
A record keeps its place when it changes. No record is on two pages, and a record that matches throughout appears on exactly one page.
A new record, or a new status, shows in the list within moments.

A request looks at 5,000 records at most. With filters that few records match, a page can have fewer than \`limit\` records,
or none, and still have a \`nextCursor\`.`;

/** Common to all lists of an application. */
export const sellerListRoute = {
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

export const indexes = { listed: ['LIST'] } as const;

export const nextCursor = nextCursorField('Present when there may be more.');
