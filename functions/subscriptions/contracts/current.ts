import * as z from 'zod/mini';
import { ExternalId } from '../../clients/external-id.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { apiKeyRoute, commonErrors } from '../../shared/contract/route-parts.ts';
import { CurrentSubscription } from '../schemas.ts';

const CurrentQuery = z.object({ externalId: ExternalId });

export const route = defineRoute({
  method: 'GET',
  path: '/api/v1/subscriptions/current',
  alsoAt: '/subscriptions/current',
  ofContract: 'alsoAt',
  operationId: 'getCurrentSubscription',
  summary: "Retrieves a client's running subscription, or the newest one, with its entitlement.",
  description: [
    'Grant access when `entitled` is true.',
    'It is computed from the dates at the time of the request; `status` can lag behind by a moment.',
  ].join(' '),
  ...apiKeyRoute,
  query: CurrentQuery,
  response: CurrentSubscription,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
  grants: { table: { CLIENT: ['GetItem'] }, indexes: { byStatus: ['CLIENT'] } },
});
