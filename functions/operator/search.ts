import { anyOperatorCaller } from '../shared/auth/bearer.ts';
import type { Handler } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { route } from './contracts/search.ts';
import { findRecords } from './search/find-records.ts';

export const searchRecords: Handler<typeof route> = async ({
  query: { q, applicationId },
  caller: { scopes },
}) => ({ hits: await findRecords({ text: q.trim(), applicationId, nowMs: clock.nowMs() }, scopes) });

export const handler = endpoint(route, searchRecords, anyOperatorCaller);
