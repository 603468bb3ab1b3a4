import { type Listing, listingAt } from '../../shared/table/listing.ts';
import type { CreditNote } from '../credit-note.ts';

/** The facts by which lists filter and reports count. Amounts in minor units. */
export type CreditNoteFacts = Pick<CreditNote, 'externalId' | 'reason' | 'currency' | 'totalMinor'>;

/** The place of a credit note in the index `listed`: by date of issue. It never changes. */
export function creditNoteListing(note: CreditNote): Listing {
  const { applicationId, creditNoteId: id, issuedAtMs: atMs } = note;
  const { externalId, reason, currency, totalMinor } = note;
  const facts = { externalId, reason, currency, totalMinor } satisfies CreditNoteFacts;
  return listingAt({ applicationId, kind: 'credit_note', status: 'issued' }, { id, atMs }, facts);
}
