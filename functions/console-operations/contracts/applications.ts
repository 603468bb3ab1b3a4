import { route as create } from '../../applications/contracts/create.ts';
import { route as keyCreate } from '../../applications/contracts/key-create.ts';
import { route as keyRevoke } from '../../applications/contracts/key-revoke.ts';
import { route as update } from '../../applications/contracts/update.ts';
import { submitRoute } from '../../console/contracts/operations.ts';

export const commands = {
  create,
  update,
  'key-create': keyCreate,
  'key-revoke': keyRevoke,
};

export const route = submitRoute('applications', commands, 'applications, their settings and their keys');
