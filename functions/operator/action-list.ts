import { operatorCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { listReply } from '../shared/lists/csv.ts';
import { actionPage } from './audit/action-page.ts';
import { auditColumns } from './audit/present.ts';
import { actionListRoute } from './contracts/records.ts';

export async function listActions(request: Input<typeof actionListRoute>): Promise<Reply> {
  return listReply(request, actionListRoute, 'actions', await actionPage(request.query), auditColumns);
}

export const handler = endpoint(actionListRoute, listActions, operatorCaller);
