/** The lines of a client's account: the entries of the ledger that change what the client owes. Pure; amounts in minor units. */
import type { Entry, EntryKind } from '../ledger/entry.ts';
import type { BookedRecord } from './booked-record.ts';

/** A record of the journal with the numbers of the credit notes that its change issued, in the order of their entries. */
export interface DocumentedRecord extends BookedRecord {
  readonly creditNotes: readonly string[];
}

export interface AccountLine {
  /** `jrn_...`: the record of the journal. */
  readonly journalId: string;
  readonly bookedAtMs: number;
  readonly day: string;
  readonly kind: EntryKind;
  /** The numbers of its credit note and of the invoices that it moves. */
  readonly documents: readonly string[];
  readonly subscriptionId: string | undefined;
  readonly paymentId: string | undefined;
  readonly currency: string;
  /** Above 0, the client owes more. */
  readonly amountMinor: number;
  readonly balanceMinor: number;
}

/** The balance of a client by currency: what they owe less their credit. */
export type AccountBalances = Readonly<Record<string, number>>;

/**
 * The lines of a client in the order of booking. An entry that moves money between the client's credit and an invoice leaves the
 * balance as it is, and is no line.
 */
export function linesOf(records: readonly DocumentedRecord[]): AccountLine[] {
  const balances: Record<string, number> = {};
  return records.flatMap((record) => {
    const notes = notesOf(record);
    return record.entries.flatMap((entry): AccountLine[] => {
      const amountMinor = balanceOf(entry);
      if (amountMinor === 0) return [];
      const { journalId, bookedAtMs, day, subscriptionId, numbers } = record;
      const { kind, currency, paymentId, postings } = entry;
      const invoices = postings.map((one) => (one.account === 'receivable' ? numbers[one.n] : undefined));
      const documents = [notes.get(entry), ...invoices].filter((number) => number !== undefined);
      const balanceMinor = (balances[currency] ?? 0) + amountMinor;
      balances[currency] = balanceMinor;
      const booked = { journalId, bookedAtMs, day, kind, documents, subscriptionId, paymentId };
      return [{ ...booked, currency, amountMinor, balanceMinor }];
    });
  });
}

export function balancesBefore(lines: readonly AccountLine[], beforeMs: number): AccountBalances {
  const before = lines.filter(({ bookedAtMs }) => bookedAtMs < beforeMs);
  return Object.fromEntries(before.map(({ currency, balanceMinor }) => [currency, balanceMinor]));
}

/** The amount that an entry adds to the invoices of the client, and takes from their credit. */
function balanceOf({ postings }: Entry): number {
  const own = postings.filter(({ account }) => account === 'receivable' || account === 'credit');
  return own.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/**
 * The number of the credit note of each entry that has one. They come in the order of their entries, and those of cancellations after the
 * others. Where only some of the cancelled invoices have a document, no entry says which.
 */
function notesOf({ creditNotes, entries }: DocumentedRecord): ReadonlyMap<Entry, string | undefined> {
  const crediting = entries.filter(({ kind }) => kind === 'credit_note');
  const all = [...crediting, ...entries.filter(isCancelling)];
  const documented = creditNotes.length === all.length ? all : crediting;
  return new Map(documented.map((entry, i) => [entry, creditNotes[i]]));
}

const isCancelling = ({ kind, postings }: Entry) =>
  kind === 'cancellation' && postings.some((one) => one.account === 'receivable' && one.amountMinor < 0);
