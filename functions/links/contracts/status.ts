import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors } from '../../shared/contract/route-parts.ts';
import { Time } from '../../shared/fields/time.ts';
import { batchOf, isString, limits, userIdInBody } from '../api/requests.ts';
import { count, Status, success } from '../api/responses.ts';
import { applicationRoute } from './application-route.ts';
import { credentialErrors, userSelection } from './common.ts';

const StatusRequest = z.object({
  linkIds: batchOf(z.string(), limits.ids, isString, 'any'),
  ...userIdInBody,
});

export const LinkStatusResult = z.object({
  id: z.string(),
  title: z.string(),
  status: Status,
  reviewedAt: z.nullable(Time),
});

const LinkStatuses = z.object({
  success,
  results: z.array(LinkStatusResult),
  summary: z.object({
    total: count.check(z.meta({ description: 'The number of distinct ids.' })),
    verified: count,
    pending: count,
    rejected: count,
    notFound: count,
  }),
});

export const route = defineRoute({
  method: 'POST',
  path: '/api/trust-links/verify',
  ofContract: 'path',
  operationId: 'getLinkStatuses',
  summary: 'Retrieves the review status of up to 100 links.',
  description: [
    userSelection,
    '',
    'The results are in the order of the request, without duplicates. Links that do not exist or belong to',
    'another application or user are counted in `summary.notFound` and not listed.',
  ].join('\n'),
  ...applicationRoute,
  body: StatusRequest,
  response: LinkStatuses,
  errors: { ...commonErrors, also: [...credentialErrors, 'limit_exceeded'] },
  grants: { table: { LINK: ['BatchGetItem'] } },
});
