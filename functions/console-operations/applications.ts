import { createApplication } from '../applications/create.ts';
import { createKey } from '../applications/key-create.ts';
import { revokeKey } from '../applications/key-revoke.ts';
import { routes } from '../applications/routes.ts';
import { updateApplication } from '../applications/update.ts';
import { operationsEndpoint } from '../console/operations/perform.ts';
import { route } from './contracts/applications.ts';

export const handler = operationsEndpoint(route, routes, {
  create: createApplication,
  update: updateApplication,
  'key-create': createKey,
  'key-revoke': revokeKey,
});
