import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors } from '../../shared/contract/route-parts.ts';
import { LinkPath } from '../api/requests.ts';
import { success } from '../api/responses.ts';
import { applicationRoute } from './application-route.ts';
import { credentialErrors, userSelection } from './common.ts';

const RemovedLink = z.object({ success, deleted: z.string() });

export const route = defineRoute({
  method: 'DELETE',
  path: '/api/trust-links/{id}',
  ofContract: 'path',
  summary: 'Removes a link permanently.',
  description: [userSelection, '', 'The event `link.removed` has the link as it was last.'].join('\n'),
  ...applicationRoute,
  params: LinkPath,
  response: RemovedLink,
  errors: { ...commonErrors, also: [...credentialErrors, 'not_found', 'conflict'] },
  grants: { table: { LINK: ['GetItem', 'DeleteItem'], HISTORY: ['PutItem'], EVENT: ['PutItem'] } },
});
