import { defineRoute } from '../../shared/contract/route.ts';
import { LinkPath, LinkUpdate } from '../api/requests.ts';
import { UpdatedLink } from '../api/responses.ts';
import { applicationRoute } from './application-route.ts';
import { commonErrors, credentialErrors, userSelection } from './common.ts';

export const route = defineRoute({
  method: 'PUT',
  path: '/api/trust-links/{id}',
  summary: 'Updates a link and returns it to the review queue.',
  description: [
    userSelection,
    '',
    'Omitted fields keep their values. The link is pending again: a verified link is reviewed with',
    'priority, a rejected link like a new one (event `link.pending` for both), and a pending link keeps its',
    'position in the queue. A request that changes nothing has no effect.',
  ].join('\n'),
  ...applicationRoute,
  params: LinkPath,
  body: LinkUpdate,
  response: UpdatedLink,
  errors: { ...commonErrors, also: [...credentialErrors, 'user_not_verified', 'not_found', 'conflict'] },
  grants: {
    table: {
      LINK: ['GetItem', 'PutItem'],
      HISTORY: ['PutItem'],
      EVENT: ['PutItem'],
      USER: ['GetItem'],
    },
  },
});
