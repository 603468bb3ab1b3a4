import {
  createRoute as create,
  keyCreateRoute as keyCreate,
  keyRevokeRoute as keyRevoke,
  updateRoute as update,
} from '../../applications/routes.ts';
import { submitRoute } from '../../console/contracts/operations.ts';

export const commands = {
  create,
  update,
  'key-create': keyCreate,
  'key-revoke': keyRevoke,
};

export const route = submitRoute('applications', commands, 'applications, their settings and their keys');
