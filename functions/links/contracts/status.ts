import { defineRoute } from '../../shared/contract/route.ts';
import { StatusRequest } from '../api/requests.ts';
import { LinkStatuses } from '../api/responses.ts';
import { applicationRoute } from './application-route.ts';
import { commonErrors, credentialErrors, userSelection } from './common.ts';

export const route = defineRoute({
  method: 'POST',
  path: '/api/trust-links/verify',
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
