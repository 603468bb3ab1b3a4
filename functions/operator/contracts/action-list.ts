import * as z from 'zod/mini';
import { auditListDays } from '../../shared/contract/audit.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { AcceptHeaders } from '../../shared/lambda/content-negotiation.ts';
import { csvResponse, nextCursor, pagesDescription } from '../../shared/lists/list-route.ts';
import { ActionListQuery, AuditRecordSchema } from '../audit/schemas.ts';

const ActionList = z.object({ actions: z.array(AuditRecordSchema), nextCursor });

export const route = defineRoute({
  method: 'GET',
  path: '/api/operator/audit',
  summary: 'Lists everything that operators changed, newest first.',
  description: `\
Each entry names the operator key, its person, the time, the address, the object and the former values. The list goes back
${auditListDays} days.

${pagesDescription}`,
  auth: 'operator',
  operatorScope: 'admin',
  headers: AcceptHeaders,
  responseHeaders: ['vary'],
  otherResponses: [csvResponse],
  query: ActionListQuery,
  response: ActionList,
  errors: { ...unlimitedErrors, also: ['invalid_token'] },
  grants: { table: { AUDIT: ['BatchGetItem'] }, indexes: { listed: ['AUDIT'] } },
});
