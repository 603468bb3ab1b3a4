import { defineRoute } from '../../shared/contract/route.ts';
import { ApplicationPath, UpdateApplicationRequest, UpdatedApplication } from '../applications/schemas.ts';
import { errors } from './common.ts';

export const route = defineRoute({
  method: 'PUT',
  path: '/api/operator/applications/{id}',
  summary: 'Replaces the name or the redirect URIs of an application, or merges its settings.',
  description:
    'Omitted fields keep their values. `settings` is a JSON Merge Patch (RFC 7396): `null` removes a setting. Of concurrent requests none loses what another one changed.',
  auth: 'operator',
  operatorScope: 'admin',
  params: ApplicationPath,
  body: UpdateApplicationRequest,
  response: UpdatedApplication,
  errors: { ...errors, also: ['invalid_token', 'not_found', 'conflict'] },
  grants: { table: { APP: ['GetItem', 'UpdateItem'], AUDIT: ['PutItem'] }, uses: ['sandboxGateway'] },
});
