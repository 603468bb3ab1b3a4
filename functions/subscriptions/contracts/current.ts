import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { ExternalId } from '../api/requests.ts';
import { CurrentSubscription } from '../api/responses.ts';
import { applicationRoute, commonErrors } from './common.ts';

const CurrentQuery = z.object({ externalId: ExternalId });

export const route = defineRoute({
  method: 'GET',
  path: '/api/v1/subscriptions/current',
  alsoAt: '/subscriptions/current',
  summary: "Retrieves a client's running subscription, or the newest one, with its entitlement.",
  description: [
    'Grant access when `entitled` is true.',
    'It is computed from the dates at the time of the request; `status` can lag behind by a moment.',
  ].join(' '),
  ...applicationRoute,
  query: CurrentQuery,
  response: CurrentSubscription,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
  grants: { table: { CLIENT: ['GetItem'] }, indexes: { byStatus: ['CLIENT'] } },
});
