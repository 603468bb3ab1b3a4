import { route as upsert } from '../../clients/contracts/upsert.ts';
import { submitRoute } from '../../console/contracts/operations.ts';

export const commands = {
  upsert,
};

export const route = submitRoute('clients', commands, 'clients');
