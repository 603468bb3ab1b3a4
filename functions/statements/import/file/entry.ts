/** An entry of a bank account as a file states it. Amounts in minor units, times in epoch milliseconds. */
export interface BankEntry {
  /** `credit`: money that arrived. `reversal`: the bank took an earlier credit back. `withdrawal_undone`: it gave a withdrawal back. */
  readonly kind: 'credit' | 'reversal' | 'withdrawal_undone';
  readonly amountMinor: number;
  readonly currency: string;
  /** Whether its amount and its text are of one transfer. Otherwise the text can be that of another payer. */
  readonly isOneTransfer: boolean;
  /** The value date, at midnight UTC: a transfer is in time on its whole day. */
  readonly valueAtMs: number;
  readonly account: string;
  readonly text: string;
  /** References in fields of their own, such as ISO 11649. */
  readonly structured: readonly string[];
  readonly bankId: string | undefined;
  /** The payer's id of the payment. */
  readonly endToEndId: string | undefined;
  /** All ids of the transfer, of the payer and of banks: a reversal repeats some of them. */
  readonly ids: readonly string[];
  readonly name: string | undefined;
  readonly iban: string | undefined;
}

export interface ParsedStatement {
  readonly entries: readonly BankEntry[];
  /** Entries that are not shown: withdrawals and amounts of zero, and entries that the bank has not booked yet. */
  readonly withdrawals: number;
  readonly notBooked: number;
  /** Entries that are left out because their date is impossible. */
  readonly rejected: readonly RejectedEntry[];
}

export interface RejectedEntry {
  /** Its number in the file, from 1. */
  readonly entry: number;
  readonly problem: string;
}

/** A file that is not what it is said to be. The message says what is wrong. Of the file, it contains at most values of a mapped column. */
export class UnreadableFile extends Error {}

/** The most entries of a statement. A larger file is exported again, by shorter periods. */
export const maxEntries = 10_000;

export function requireFewEntries(count: number): void {
  if (count > maxEntries)
    throw new UnreadableFile(`must have at most ${maxEntries} entries: export shorter periods`);
}

/** More entries with an impossible date than this are a wrong `dateFormat`, or no statement. */
const maxRejected = 100;

/**
 * Refuses a file of which too little can be read.
 *
 * @param read the number of entries that can be read.
 * @throws UnreadableFile beyond {@link maxRejected}, and when no entry is left.
 */
export function requireReadable(rejected: readonly RejectedEntry[], read: number): void {
  const [first] = rejected;
  if (first !== undefined && read === 0) throw new UnreadableFile(first.problem);
  if (rejected.length > maxRejected)
    throw new UnreadableFile(`has more than ${maxRejected} entries like this: ${first?.problem}`);
}
