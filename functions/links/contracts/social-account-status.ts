import { defineRoute } from '../../shared/contract/route.ts';
import { AccountStatusRequest } from '../api/requests.ts';
import { AccountStatuses } from '../api/responses.ts';
import { applicationRoute } from './application-route.ts';
import { commonErrors, credentialErrors, userSelection } from './common.ts';

export const route = defineRoute({
  method: 'POST',
  path: '/api/social-accounts/verify',
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
