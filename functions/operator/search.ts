import { anyOperatorCaller } from '../shared/auth/bearer.ts';
import { allows } from '../shared/contract/operator-scopes.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { route } from './contracts/search.ts';
import { finders } from './search/finders.ts';

/** Finds the records that a text names. Records that the scopes of the key do not cover are not read. */
export async function searchRecords({
  query: { q, applicationId },
  caller: { scopes },
}: Input<typeof route>): Promise<Output<typeof route>> {
  const sought = { text: q.trim(), applicationId, nowMs: clock.nowMs() };
  const covered = finders.filter(({ scope }) => allows(scopes, scope));
  const found = await Promise.all(covered.map(({ find }) => find(sought)));
  return { hits: found.flat().filter((hit) => isOf(applicationId, hit)) };
}

/** Whether a record is of the application, or of none. */
const isOf = (wanted: string | undefined, hit: object): boolean =>
  wanted === undefined || !('applicationId' in hit) || hit.applicationId === wanted;

export const handler = endpoint(route, searchRecords, anyOperatorCaller);
