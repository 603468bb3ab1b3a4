import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { lineField, notBlank } from '../../shared/fields/text.ts';
import { searchGrants } from '../search/grants.ts';
import { maxSearchText, SearchHit } from '../search/schemas.ts';

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

export const route = defineRoute({
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
