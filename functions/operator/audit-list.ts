import { operatorCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { readHistory } from './audit/history.ts';
import { auditListRoute } from './contracts/records.ts';

/** Lists the audit records of an application or an operator key, the latest first. */
export const listAudit: Handler<typeof auditListRoute> = async ({ params, query }) =>
  readHistory(params, query);

export const handler = endpoint(auditListRoute, listAudit, operatorCaller);
