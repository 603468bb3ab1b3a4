import { keys } from '../shared/contract/keys.ts';
import { isId } from '../shared/runtime/ids.ts';
import { queryUpTo } from '../shared/table/query.ts';
import { getRecord, recordReader } from '../shared/table/record.ts';
import type { CreditNote, ShownCreditNote } from './credit-note.ts';
import type { Invoice } from './invoice.ts';
import { invoiceStore, readNumberedOwner } from './store.ts';

/** Of one response. A credit note has some 300 bytes. */
const maxCreditNotes = 100;

const readCreditNote = recordReader<CreditNote>(['creditNoteId', 'n', 'invoiceN']);

/** A credit note with the invoice that it corrects. */
interface NoteOfInvoice {
  creditNote: ShownCreditNote;
  invoice: Invoice;
}

/** Reads credit notes. They are written with the change that issues them. */
export const creditNoteStore = {
  /** The latest credit notes of a subscription, in order of their numbers. */
  async latest(subscriptionId: string): Promise<CreditNote[]> {
    const query = { ...notesOf(subscriptionId), descending: true };
    return (await queryUpTo(query, maxCreditNotes)).toReversed().map(readCreditNote);
  },

  /** A credit note by id, with the invoice that it corrects. */
  async get(applicationId: string, creditNoteId: string): Promise<NoteOfInvoice | undefined> {
    if (!isId('crn', creditNoteId)) return undefined;
    const owner = await getRecord(keys.creditNoteOwner(creditNoteId), readNumberedOwner);
    if (owner === undefined || owner.applicationId !== applicationId) return undefined;
    return creditNoteStore.getNth(owner.subscriptionId, owner.n);
  },

  /** The n-th credit note of a subscription, with its invoice. Those before it decide about the rounding of its tax. */
  async getNth(subscriptionId: string, n: number): Promise<NoteOfInvoice | undefined> {
    const creditNote = await getRecord(keys.creditNote(subscriptionId, n), readCreditNote);
    if (creditNote === undefined) return undefined;
    const [invoice, earlier] = await Promise.all([
      invoiceStore.get(subscriptionId, creditNote.invoiceN),
      creditNotesBefore(subscriptionId, n),
    ]);
    const earlierMinor = earlier
      .filter(({ invoiceN }) => invoiceN === creditNote.invoiceN)
      .reduce((sum, { totalMinor }) => sum + totalMinor, 0);
    return invoice && { creditNote: Object.assign(creditNote, { earlierMinor }), invoice };
  },
};

/** The credit notes of a subscription before the n-th. The first one has none, and costs no read. */
async function creditNotesBefore(subscriptionId: string, n: number): Promise<CreditNote[]> {
  return n <= 1 ? [] : (await queryUpTo(notesOf(subscriptionId), n - 1)).map(readCreditNote);
}

const notesOf = (subscriptionId: string) => ({
  partition: keys.creditNote(subscriptionId, 0).pk,
  sortKeyPrefix: 'CREDITNOTE#',
});
