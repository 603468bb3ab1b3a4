import { type Listing, listingAt } from '../../shared/table/listing.ts';
import type { CreditNote, CreditNoteReason } from '../credit-note.ts';

/** The facts by which lists filter and reports count. Amounts in minor units. */
export interface CreditNoteFacts {
  externalId: string;
  reason: CreditNoteReason;
  currency: string;
  totalMinor: number;
}

/** The place of a credit note in the index `listed`: by date of issue. It never changes. */
export function creditNoteListing(note: CreditNote): Listing {
  const { applicationId, creditNoteId: id, issuedAtMs: atMs } = note;
  const { externalId, reason, currency, totalMinor } = note;
  const facts: Record<keyof CreditNoteFacts, unknown> = { externalId, reason, currency, totalMinor };
  return listingAt({ applicationId, kind: 'credit_note', status: 'issued' }, { id, atMs }, facts);
}
