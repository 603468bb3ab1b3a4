import { sellerCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { documentType, jsonReply } from '../shared/lambda/content-negotiation.ts';
import { ApiError, endpoint, found, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { creditNoteStore } from './credit-note-store.ts';
import { documentStore } from './document/document-store.ts';
import { creditNotePageReply, creditNotePdfReply } from './document/replies.ts';
import { toCreditNoteResponse } from './present.ts';
import { creditNoteReadRoute } from './routes.ts';

/** A credit note in the format that the caller accepts, like an invoice. */
export async function readCreditNote({
  params,
  headers,
  caller,
}: Input<typeof creditNoteReadRoute>): Promise<Reply> {
  const owner = found(await creditNoteStore.findOwner(caller.applicationId, params.id));
  const { subscriptionId, n } = owner;
  const document = { subscriptionId, kind: 'CREDITNOTE', n } as const;
  /** The credit note, concurrently with what its format needs too. */
  const beside = async <T>(other?: Promise<T>) => {
    const [found, mailed] = await Promise.all([creditNoteStore.getNth(subscriptionId, n), other]);
    if (found === undefined) throw new ApiError('not_found');
    return { ...found, mailed };
  };
  switch (documentType(headers.accept)) {
    case 'text/html': {
      const { creditNote, invoice } = await beside();
      return creditNotePageReply(creditNote, invoice);
    }
    case 'application/pdf': {
      const { creditNote, invoice, mailed } = await beside(documentStore.find(document));
      return creditNotePdfReply(creditNote, invoice, mailed);
    }
    case 'application/json': {
      const { creditNote, mailed } = await beside(documentStore.hash(document));
      const body = { creditNote: toCreditNoteResponse(creditNote), ...defined({ document: mailed }) };
      return jsonReply(creditNoteReadRoute.response, body);
    }
  }
}

export const handler = endpoint(creditNoteReadRoute, readCreditNote, sellerCaller);
