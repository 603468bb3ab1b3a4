import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors } from '../../shared/contract/route-parts.ts';
import { LinkPath } from '../api/requests.ts';
import { OneLink } from '../api/responses.ts';
import { applicationRoute } from './application-route.ts';
import { credentialErrors, userSelection } from './common.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/trust-links/{id}',
  ofContract: 'path',
  summary: 'Retrieves a link.',
  description: userSelection,
  ...applicationRoute,
  params: LinkPath,
  response: OneLink,
  errors: { ...commonErrors, also: [...credentialErrors, 'not_found'] },
  grants: { table: { LINK: ['GetItem'] } },
});
