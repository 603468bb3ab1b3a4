import { sellerCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { listReply } from '../shared/lists/csv.ts';
import { indexedPage } from '../shared/lists/indexed-list.ts';
import { ofApplication } from '../shared/lists/partitions.ts';
import { readCreditNote } from './credit-note-store.ts';
import type { CreditNoteFacts } from './listing/credit-note-listing.ts';
import { creditNoteColumns, toListedCreditNote } from './listing/list-schema.ts';
import { creditNoteListRoute } from './routes.ts';

export async function listCreditNotes(request: Input<typeof creditNoteListRoute>): Promise<Reply> {
  const { query, caller } = request;
  const { reason, externalId } = query;
  const matches = (facts: Pick<CreditNoteFacts, 'externalId' | 'reason'>) =>
    (reason === undefined || facts.reason === reason) &&
    (externalId === undefined || facts.externalId === externalId);
  const page = await indexedPage(
    {
      source: ofApplication(caller, 'credit_note', ['issued']),
      filters: [reason, externalId],
      passes: matches,
      read: readCreditNote,
      belongs: matches,
      toResponse: toListedCreditNote,
    },
    query,
  );
  return listReply(request, creditNoteListRoute, 'creditNotes', page, creditNoteColumns);
}

export const handler = endpoint(creditNoteListRoute, listCreditNotes, sellerCaller);
