import * as z from 'zod/mini';
import { commonErrors, defineRoute } from '../../shared/contract/route.ts';
import { Time } from '../../shared/fields/described.ts';
import { batchOf, isString, limits, Platform, userIdInBody } from '../api/requests.ts';
import { AccountResult, count, Status, success } from '../api/responses.ts';
import { applicationRoute, credentialErrors, userSelection } from './links.ts';

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

export const statusRoute = defineRoute({
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

const AccountStatusRequest = z.object({
  platforms: batchOf(Platform, limits.platforms, isString, 'any'),
  ...userIdInBody,
});

const AccountStatuses = z.object({
  success,
  results: z.array(
    z.union([AccountResult, z.object({ platform: z.string(), status: z.literal('not_found') })]),
  ),
  summary: z.object({
    total: count.check(z.meta({ description: 'The number of distinct platforms.' })),
    verified: count,
    pending: count,
    rejected: count,
    unverified: count.check(
      z.meta({ description: 'Accounts that were not checked, and platforms without an account.' }),
    ),
  }),
});

export const socialAccountStatusRoute = defineRoute({
  method: 'POST',
  path: '/api/social-accounts/verify',
  ofContract: 'path',
  operationId: 'getSocialAccountStatuses',
  summary: "Retrieves the status of the user's accounts on up to 50 platforms.",
  description: [
    userSelection,
    '',
    'The results are in the order of the request, without duplicates; platforms are compared regardless of',
    'case. Of several accounts on one platform, the result is the primary one, or else the newest.',
  ].join('\n'),
  ...applicationRoute,
  body: AccountStatusRequest,
  response: AccountStatuses,
  errors: { ...commonErrors, also: [...credentialErrors, 'limit_exceeded'] },
  grants: { table: { USER: ['Query'] } },
});
