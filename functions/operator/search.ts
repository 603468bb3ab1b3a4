import { anyOperatorCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { route } from './contracts/search.ts';
import { findRecords } from './search/find-records.ts';

export async function searchRecords({
  query: { q, applicationId },
  caller: { scopes },
}: Input<typeof route>): Promise<Output<typeof route>> {
  return { hits: await findRecords({ text: q.trim(), applicationId, nowMs: clock.nowMs() }, scopes) };
}

export const handler = endpoint(route, searchRecords, anyOperatorCaller);
