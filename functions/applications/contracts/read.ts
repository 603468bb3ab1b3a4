import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { ApplicationPath, OneApplication } from '../schemas.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/operator/applications/{id}',
  summary: 'Retrieves an application with the first characters of its keys, and when each was used last.',
  auth: 'operator',
  operatorScope: 'support',
  params: ApplicationPath,
  response: OneApplication,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found'] },
  grants: { table: { APP: ['GetItem'], RATE: ['GetItem'] } },
});
