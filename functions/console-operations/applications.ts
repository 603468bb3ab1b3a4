import { createApplication } from '../applications/create.ts';
import { createKey } from '../applications/key-create.ts';
import { revokeKey } from '../applications/key-revoke.ts';
import { updateApplication } from '../applications/update.ts';
import { operationsEndpoint } from '../console/operations/perform.ts';
import { commands, route } from './contracts/applications.ts';

export const handler = operationsEndpoint(route, commands, {
  create: createApplication,
  update: updateApplication,
  'key-create': createKey,
  'key-revoke': revokeKey,
});
