import { creditNoteStore } from '../invoices/credit-note-store.ts';
import { documentStore } from '../invoices/document/document-store.ts';
import { creditNotePdfReply, invoicePdfReply } from '../invoices/document/replies.ts';
import { invoiceStore, type NumberedOwner } from '../invoices/store.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { customerDocumentRoute } from './contracts/pages.ts';
import type { Answer } from './pages/visit.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

const bare = { 'referrer-policy': 'no-referrer' };

/** An invoice or a credit note of a subscription as PDF: the bytes that the API returns. */
export async function showDocument({ params }: Input<typeof customerDocumentRoute>): Promise<Answer> {
  const { applicationId, subscriptionId, documentId } = params;
  const [invoice, note] = await Promise.all([
    invoiceStore.findOwner(applicationId, documentId),
    creditNoteStore.findOwner(applicationId, documentId),
  ]);
  if ((invoice ?? note)?.subscriptionId !== subscriptionId) throw new ApiError('not_found');
  const reply = invoice ? await invoiceReply(invoice) : note && (await creditNoteReply(note));
  if (reply === undefined) throw new ApiError('not_found');
  return { kind: 'document', reply };
}

async function invoiceReply({ subscriptionId, n }: NumberedOwner): Promise<Reply | undefined> {
  const [invoice, mailed] = await Promise.all([
    invoiceStore.get(subscriptionId, n),
    documentStore.find({ subscriptionId, kind: 'INVOICE', n }),
  ]);
  return invoice && invoicePdfReply(invoice, mailed, bare);
}

async function creditNoteReply({ subscriptionId, n }: NumberedOwner): Promise<Reply | undefined> {
  const [found, mailed] = await Promise.all([
    creditNoteStore.getNth(subscriptionId, n),
    documentStore.find({ subscriptionId, kind: 'CREDITNOTE', n }),
  ]);
  return found && creditNotePdfReply(found.creditNote, found.invoice, mailed, bare);
}

export const handler = consoleEndpoint(customerDocumentRoute, 'finance', showDocument);
