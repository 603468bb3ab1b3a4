import { operatorCaller } from '../shared/auth/bearer.ts';
import type { Handler } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { readHistory } from './audit/history.ts';
import { route } from './contracts/audit-list.ts';

/** Lists the audit records of an application or an operator key, the latest first. */
export const listAudit: Handler<typeof route> = async ({ params, query }) => readHistory(params, query);

export const handler = endpoint(route, listAudit, operatorCaller);
