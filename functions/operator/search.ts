import { anyOperatorCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { searchRoute } from './contracts/records.ts';
import { findRecords } from './search/find-records.ts';

export const searchRecords: Handler<typeof searchRoute> = async ({
  query: { q, applicationId },
  caller: { scopes },
}) => ({ hits: await findRecords({ text: q.trim(), applicationId, nowMs: clock.nowMs() }, scopes) });

export const handler = endpoint(searchRoute, searchRecords, anyOperatorCaller);
