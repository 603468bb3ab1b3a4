import { defineRoute } from '../../shared/contract/route.ts';
import { CreateApplicationRequest, CreatedApplication } from '../applications/schemas.ts';
import { errors } from './common.ts';

export const route = defineRoute({
  method: 'POST',
  path: '/api/operator/applications',
  summary: 'Creates an application with a client secret and an API key, which are shown only once.',
  auth: 'operator',
  operatorScope: 'admin',
  body: CreateApplicationRequest,
  response: CreatedApplication,
  status: 201,
  errors: { ...errors, also: ['invalid_token'] },
  grants: {
    table: { APP: ['PutItem'], CLIENTSECRET: ['PutItem'], APIKEY: ['PutItem'], AUDIT: ['PutItem'] },
    uses: ['sandboxGateway'],
  },
});
