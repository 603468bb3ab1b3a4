import * as keys from '../shared/contract/keys.ts';
import { isId } from '../shared/runtime/ids.ts';
import { queryUpTo } from '../shared/table/query.ts';
import { getRecord, recordReader } from '../shared/table/record.ts';
import type { CreditNote } from './credit-note.ts';
import type { Invoice } from './invoice.ts';
import { invoiceStore, type NumberedOwner, readNumberedOwner } from './store.ts';

/** Of one response. A credit note has some 500 bytes. */
const maxCreditNotes = 100;

export const readCreditNote = recordReader<CreditNote>(['creditNoteId', 'n', 'invoiceN']);

interface NoteOfInvoice {
  creditNote: CreditNote;
  invoice: Invoice;
}

export const creditNoteStore = {
  /** The latest credit notes of a subscription, in order of their numbers. */
  async latest(subscriptionId: string): Promise<CreditNote[]> {
    const { pk: partition } = keys.creditNote(subscriptionId, 0);
    const query = { partition, sortKeyPrefix: 'CREDITNOTE#', descending: true };
    return (await queryUpTo(query, maxCreditNotes)).toReversed().map(readCreditNote);
  },

  /** Those of the latest that correct an invoice. */
  async ofInvoice({ subscriptionId, n }: Pick<NumberedOwner, 'subscriptionId' | 'n'>): Promise<CreditNote[]> {
    return (await creditNoteStore.latest(subscriptionId)).filter(({ invoiceN }) => invoiceN === n);
  },

  /** The owner of a credit note, by the rules of {@link invoiceStore.find}. */
  async findOwner(
    applicationId: string | undefined,
    creditNoteId: string,
  ): Promise<NumberedOwner | undefined> {
    if (!isId('crn', creditNoteId)) return undefined;
    const owner = await getRecord(keys.creditNoteOwner(creditNoteId), readNumberedOwner);
    return applicationId === undefined || owner?.applicationId === applicationId ? owner : undefined;
  },

  get(subscriptionId: string, n: number): Promise<CreditNote | undefined> {
    return getRecord(keys.creditNote(subscriptionId, n), readCreditNote);
  },

  /** The same, with its invoice. */
  async getNth(subscriptionId: string, n: number): Promise<NoteOfInvoice | undefined> {
    const creditNote = await creditNoteStore.get(subscriptionId, n);
    if (creditNote === undefined) return undefined;
    const invoice = await invoiceStore.get(subscriptionId, creditNote.invoiceN);
    return invoice && { creditNote, invoice };
  },
};
