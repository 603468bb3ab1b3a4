import { operatorCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { readHistory } from './audit/history.ts';
import { route } from './contracts/audit-list.ts';

/** Lists the audit records of an application or an operator key, the latest first. */
export async function listAudit({ params, query }: Input<typeof route>): Promise<Output<typeof route>> {
  return readHistory(params, query);
}

export const handler = endpoint(route, listAudit, operatorCaller);
