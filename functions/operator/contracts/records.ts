import * as z from 'zod/mini';
import { auditListDays } from '../../shared/contract/audit.ts';
import { defineRoute, operatorRoute, unlimitedErrors } from '../../shared/contract/route.ts';
import { described } from '../../shared/fields/described.ts';
import { lineField, notBlank } from '../../shared/fields/text.ts';
import { AcceptHeaders } from '../../shared/lambda/content-negotiation.ts';
import { csvResponse, nextCursor, pagesDescription } from '../../shared/lists/requests.ts';
import { ActionListQuery, AuditRecordSchema, History, HistoryQuery } from '../audit/schemas.ts';
import { searchGrants } from '../search/grants.ts';
import { maxSearchText, SearchHit } from '../search/schemas.ts';

const ActionList = z.object({ actions: z.array(AuditRecordSchema), nextCursor });

export const actionListRoute = defineRoute({
  method: 'GET',
  path: '/api/operator/audit',
  summary: 'Lists everything that operators changed, newest first.',
  description: `\
Each entry names the operator key, its person, the time, the address, the object and the former values. The list goes back
${auditListDays} days.

${pagesDescription}`,
  ...operatorRoute('admin'),
  headers: AcceptHeaders,
  responseHeaders: ['vary'],
  otherResponses: [csvResponse],
  query: ActionListQuery,
  response: ActionList,
  grants: { table: { AUDIT: ['BatchGetItem'] }, indexes: { listed: ['AUDIT'] } },
});

const AuditPath = z.object({
  id: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(128),
      described('The `_id` of an application or a subscription, or the `keyId` of an operator key.'),
    ),
});

export const auditListRoute = defineRoute({
  method: 'GET',
  path: '/api/operator/audit/{id}',
  operationId: 'listAuditRecords',
  summary:
    'Lists the changes that operators made to an application, a subscription or an operator key, newest first.',
  description: [
    'Each entry names the operator key, its person, the time and the address. The list is empty for an unknown id. Changes of',
    'users are in their own history. `GET /api/operator/audit` lists the changes of all objects, for a year.',
  ].join('\n'),
  ...operatorRoute('admin'),
  params: AuditPath,
  query: HistoryQuery,
  response: History,
  grants: { table: { AUDIT: ['Query'] } },
});

const SearchQuery = z.object({
  q: lineField(maxSearchText).check(
    notBlank,
    described(
      'An id of any kind, a reference number, the number of an invoice or a credit note, the address of a user or a client, the external id of a client or a payment, words of the name of a client. Leading and trailing spaces are ignored.',
      'SUB-7K3M9XQP',
    ),
  ),
  applicationId: z.optional(
    z
      .string()
      .check(
        z.regex(/^app_[0-9A-Z]{26}$/),
        described(
          'Only records of this application, and those of none, such as users. Payments, bank statements, plans and webhooks are found with it alone, and clients by their name and by your id of them.',
        ),
      ),
  ),
});

const SearchHits = z.object({ hits: z.array(SearchHit) });

export const searchRoute = defineRoute({
  method: 'GET',
  path: '/api/operator/search',
  operationId: 'searchRecords',
  summary: 'Finds the records that an id, a number or an address names.',
  description: `\
A record is found by the whole text, never by a part of it; but a client of an application by the first letters of words of their name, in
either case, with or without accents. Of the newest 5,000 clients, up to 20 are found so: \`GET /api/v1/clients\` has the others. A hit has the ids with which its record can be retrieved. The list
is empty for an unknown text, and for a record of a kind that the scopes of the key do not cover:

| scope | kinds |
|---|---|
| \`support\` | applications, users, webhooks, events |
| \`finance\` | clients, subscriptions, invoices, credit notes, payments, bank statements |
| \`review\` | links |
| \`admin\` | all of them, plans and operator keys |

A link, the address of a client and a number in the series of a seller are found moments after they were written. Of one address, or of
one number, up to 20 records are found.`,
  auth: 'anyOperator',
  query: SearchQuery,
  response: SearchHits,
  errors: { ...unlimitedErrors, also: ['invalid_token'] },
  grants: searchGrants,
});
