import type { Entry } from './entry.ts';

/** A record of the journal: the entries of one change, and whose they are. */
export type JournalRecord = Readonly<{
  /** Undefined while no client is known that the money is from. */
  readonly externalId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  /** The numbers of the invoices that the entries name, by `n`. */
  readonly numbers: Readonly<Record<number, string>>;
  readonly entries: readonly Entry[];
}>;
