import { upsertRoute as upsert } from '../../clients/routes.ts';
import { submitRoute } from '../../console/contracts/operations.ts';

export const commands = {
  upsert,
};

export const route = submitRoute('clients', commands, 'clients');
