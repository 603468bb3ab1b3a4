import { operatorCaller } from '../shared/auth/bearer.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { listReply } from '../shared/lists/replies.ts';
import { actPage } from './audit/act-page.ts';
import { actColumns } from './audit/present-act.ts';
import { route } from './contracts/act-list.ts';

/** Lists what operators changed, newest first, for a year. */
export async function listActs(request: Input<typeof route>): Promise<Reply> {
  return listReply(request, route, 'acts', await actPage(request.query), actColumns);
}

export const handler = endpoint(route, listActs, operatorCaller);
