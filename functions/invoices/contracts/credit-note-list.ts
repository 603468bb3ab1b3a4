import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { indexes, listRoute, nextCursor, pagesDescription } from '../../shared/lists/list-route.ts';
import { externalIdField, pageFields, periodFields } from '../../shared/lists/requests.ts';
import { creditNoteReasons } from '../credit-note.ts';
import { ListedCreditNote } from '../listing/list-schema.ts';

const CreditNoteListQuery = z.object({
  reason: z.optional(
    z
      .enum(creditNoteReasons)
      .check(z.meta({ description: 'Only credit notes that were issued for this reason.' })),
  ),
  externalId: externalIdField(
    'Only the credit notes of this client. Pages can be shorter: see the description.',
  ),
  ...periodFields('the date of issue'),
  ...pageFields,
});

const CreditNoteList = z.object({
  creditNotes: z.array(ListedCreditNote),
  nextCursor,
});

export const route = defineRoute({
  ...listRoute,
  path: '/api/v1/credit-notes',
  alsoAt: '/credit-notes',
  summary: 'Lists the credit notes of the application.',
  description: `\
Credit notes are sorted by their date of issue, newest first.

${pagesDescription}`,
  query: CreditNoteListQuery,
  response: CreditNoteList,
  grants: { table: { APP: ['GetItem'], SUBSCRIPTION: ['BatchGetItem'] }, indexes },
});
