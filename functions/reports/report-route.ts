import * as z from 'zod/mini';
import type { OtherResponse } from '../shared/contract/headers.ts';
import { commonErrors } from '../shared/contract/route.ts';

export const PreparingResponse = z.object({
  status: z.literal('preparing'),
  asOf: z.iso.datetime().check(z.meta({ description: 'The time of the report.' })),
  records: z.int().check(z.meta({ description: 'The records that are counted so far.' })),
});

export const preparingResponse: OtherResponse = {
  status: 202,
  description: 'The report is being prepared. Repeat the request.',
  schema: PreparingResponse,
  headers: ['retry-after'],
};

export const csvReport: OtherResponse = {
  status: 200,
  description: 'The rows as CSV (RFC 4180), with a header row, if `Accept` prefers `text/csv`.',
  mediaType: 'text/csv',
  headers: ['vary'],
};

export const preparingDescription = `\
A report over hundreds of thousands of records is prepared: the response is 202 with \`status: preparing\`. Repeat the request after the
seconds of \`Retry-After\`, and within 15 minutes, until the response is 200. A prepared report is returned for 15 minutes: \`asOf\` says
when it was begun.`;

export const reportRoute = {
  method: 'GET',
  auth: 'seller',
  operatorScope: 'finance',
  concurrentRateLimit: true,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
} as const;

export const storedReports = { REPORT: ['GetItem', 'PutItem'] } as const;
