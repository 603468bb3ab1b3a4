import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { documentType, jsonReply } from '../shared/lambda/content-negotiation.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/credit-note-read.ts';
import { creditNoteStore } from './credit-note-store.ts';
import { creditNotePageReply, creditNotePdfReply } from './document/replies.ts';
import { toCreditNoteResponse } from './present.ts';

/** A credit note in the format that the caller accepts, like an invoice. */
export async function readCreditNote({ params, headers, caller }: Input<typeof route>): Promise<Reply> {
  const found = await creditNoteStore.get(caller.applicationId, params.id);
  if (found === undefined) throw new ApiError('not_found');
  const { creditNote, invoice } = found;
  switch (documentType(headers.accept)) {
    case 'text/html':
      return creditNotePageReply(creditNote, invoice);
    case 'application/pdf':
      return creditNotePdfReply(creditNote, invoice);
    case 'application/json':
      return jsonReply(route.response, { creditNote: toCreditNoteResponse(creditNote) });
  }
}

export const handler = endpoint(route, readCreditNote, apiKeyCaller);
