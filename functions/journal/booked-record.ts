import type { JournalRecord } from '../ledger/journal-record.ts';

/** A record of the journal with its id and its time. */
export interface BookedRecord extends JournalRecord {
  /** `jrn_...` */
  readonly journalId: string;
  readonly bookedAtMs: number;
  /** The day of `bookedAtMs` where the seller is: `2026-11-24`. */
  readonly day: string;
}
