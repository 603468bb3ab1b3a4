import { operatorCaller } from '../shared/auth/bearer.ts';
import { auditListDays } from '../shared/contract/audit.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { listPage } from '../shared/lists/list-page.ts';
import { listReply } from '../shared/lists/replies.ts';
import { clock, isoTime } from '../shared/runtime/clock.ts';
import { dayMs } from '../shared/runtime/duration.ts';
import { actColumns, readAct, toActResponse } from './audit/present-act.ts';
import { route } from './contracts/act-list.ts';

/** Lists what operators changed, newest first, for a year. */
export async function listActs(request: Input<typeof route>): Promise<Reply> {
  const { keyId, objectId, applicationId, act } = request.query;
  const wanted = Object.entries({ keyId, objectId, applicationId, act }).filter(
    ([, value]) => value !== undefined,
  );
  const page = await listPage(
    {
      applicationId: undefined,
      kind: 'act',
      statuses: [],
      filters: [keyId, objectId, applicationId, act],
      earliest: isoTime(clock.nowMs() - auditListDays * dayMs),
      passes: (facts) => wanted.every(([name, value]) => facts[name] === value),
      read: readAct,
      toResponse: toActResponse,
    },
    request.query,
  );
  return listReply(request, route, 'acts', page, actColumns);
}

export const handler = endpoint(route, listActs, operatorCaller);
