import { createRoute, keyCreateRoute, keyRevokeRoute, updateRoute } from '../../applications/routes.ts';
import { submitRoute } from '../../console/contracts/operations.ts';

export const commands = {
  create: createRoute,
  update: updateRoute,
  'key-create': keyCreateRoute,
  'key-revoke': keyRevokeRoute,
};

export const route = submitRoute('applications', commands, 'applications, their settings and their keys');
