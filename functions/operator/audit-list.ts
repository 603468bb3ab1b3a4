import { operatorCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { readHistory } from './audit/history.ts';
import { auditStore } from './audit/store.ts';
import { routes } from './routes.ts';

const listDeps = () => ({ audit: auditStore });

/** Lists the audit records of an application or an operator key, the latest first. */
export async function listAudit(
  { params, query }: Input<(typeof routes)['audit-list']>,
  { audit }: ReturnType<typeof listDeps>,
): Promise<Output<(typeof routes)['audit-list']>> {
  return readHistory(audit, params, query);
}

export const handler = endpoint(routes['audit-list'], listAudit, listDeps, operatorCaller);
