import * as z from 'zod/mini';
import { acts, auditListDays } from '../../shared/contract/audit.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { wellFormed } from '../../shared/fields/well-formed.ts';
import { AcceptHeaders } from '../../shared/lambda/content-negotiation.ts';
import { csvResponse, pagesDescription } from '../../shared/lists/contract.ts';
import { nextCursor } from '../../shared/lists/list-route.ts';
import { pageFields, periodFields } from '../../shared/lists/requests.ts';
import { ActSchema } from '../audit/act-schema.ts';

const idField = (description: string) =>
  z.optional(z.string().check(z.minLength(1), z.maxLength(256), wellFormed, z.meta({ description })));

const ActListQuery = z.object({
  ...periodFields('the act'),
  keyId: idField('Only acts with this operator key.'),
  objectId: idField('Only acts on the object with this id.'),
  applicationId: idField('Only acts on this application and on its objects.'),
  act: z.optional(z.enum(acts).check(z.meta({ description: 'Only these acts.' }))),
  ...pageFields,
});

const ActList = z.object({ acts: z.array(ActSchema), nextCursor });

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
  query: ActListQuery,
  response: ActList,
  errors: { ...unlimitedErrors, also: ['invalid_token'] },
  grants: { table: { AUDIT: ['BatchGetItem'] }, indexes: { listed: ['AUDIT'] } },
});
