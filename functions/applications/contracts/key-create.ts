import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { ApplicationPath, CreatedKey, CreateKeyRequest } from '../schemas.ts';

export const route = defineRoute({
  method: 'POST',
  path: '/api/operator/applications/{id}/keys',
  words: { title: 'Create a key' },
  summary: 'Creates another key of an application, which is shown only once.',
  description: [
    'An application can have two unexpired keys of a kind, so that a key can be replaced without an',
    'outage: create a new key, deploy it everywhere, and revoke the old one. Creating a third key returns',
    '409.',
  ].join('\n'),
  auth: 'operator',
  operatorScope: 'admin',
  params: ApplicationPath,
  body: CreateKeyRequest,
  response: CreatedKey,
  status: 201,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found', 'conflict'] },
  grants: {
    table: {
      APP: ['GetItem', 'UpdateItem'],
      CLIENTSECRET: ['PutItem'],
      APIKEY: ['PutItem'],
    },
  },
});
