import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors } from '../../shared/contract/route-parts.ts';
import { batchOf, isString, limits, Platform, userIdInBody } from '../api/requests.ts';
import { AccountResult, count, success } from '../api/responses.ts';
import { applicationRoute } from './application-route.ts';
import { credentialErrors, userSelection } from './common.ts';

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

export const route = defineRoute({
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
