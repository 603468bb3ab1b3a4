import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { History, HistoryQuery } from '../audit/schemas.ts';

const AuditPath = z.object({
  id: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(128),
      described('The `_id` of an application or a subscription, or the `keyId` of an operator key.'),
    ),
});

export const route = defineRoute({
  method: 'GET',
  path: '/api/operator/audit/{id}',
  operationId: 'listAuditRecords',
  summary:
    'Lists the changes that operators made to an application, a subscription or an operator key, newest first.',
  description: [
    'Each entry names the operator key, its person, the time and the address. The list is empty for an unknown id. Changes of',
    'users are in their own history. `GET /api/operator/audit` lists the changes of all objects, for a year.',
  ].join('\n'),
  auth: 'operator',
  operatorScope: 'admin',
  params: AuditPath,
  query: HistoryQuery,
  response: History,
  errors: { ...unlimitedErrors, also: ['invalid_token'] },
  grants: { table: { AUDIT: ['Query'] } },
});
