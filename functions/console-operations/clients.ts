import { writeClient } from '../clients/upsert.ts';
import { operationsEndpoint } from '../console/operations/perform.ts';
import { commands, route } from './contracts/clients.ts';

export const handler = operationsEndpoint(route, commands, {
  upsert: writeClient,
});
