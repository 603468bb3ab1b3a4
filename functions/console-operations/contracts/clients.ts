import { upsertRoute } from '../../clients/routes.ts';
import { submitRoute } from '../../console/contracts/operations.ts';

export const commands = {
  upsert: upsertRoute,
};

export const route = submitRoute('clients', commands, 'clients');
