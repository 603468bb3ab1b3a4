import type { ListedInvoice } from './match-store.ts';

/** Longer than what any bank transmits. */
const maxText = 4_000;
/** A number has a prefix, and six digits or more. */
const digits = /\d{6}/;
/** The characters that banks leave out of a number, or put into it. */
const gap = /[\s\-./:_]/g;
const wordCharacter = /[\p{L}\p{N}]/u;

const compact = (text: string) => text.toUpperCase().replaceAll(gap, '');

/** Whether a text can have a number. */
export const canHaveNumber = (text: string) => digits.test(compact(text));

/** Open invoices by their numbers, without gaps. */
export interface NumberedInvoices {
  readonly byNumber: ReadonlyMap<string, ListedInvoice>;
  readonly lengths: readonly number[];
}

export function numberedInvoices(invoices: readonly ListedInvoice[]): NumberedInvoices {
  const byNumber = new Map<string, ListedInvoice>();
  for (const invoice of invoices) {
    if (invoice.number !== undefined) byNumber.set(compact(invoice.number), invoice);
  }
  const lengths = new Set([...byNumber.keys()].map((number) => number.length));
  return { byNumber, lengths: [...lengths].toSorted((a, b) => b - a) };
}

/** The invoices whose numbers are in a text as words of their own, in any case and with spaces or dashes in them. */
export function invoicesIn(text: string, { byNumber, lengths }: NumberedInvoices): ListedInvoice[] {
  const read = text.slice(0, maxText).toUpperCase();
  const places: number[] = [];
  for (let at = 0; at < read.length; at += 1) if (compact(read.charAt(at)) !== '') places.push(at);
  const letters = places.map((at) => read.charAt(at)).join('');
  const isWord = (at: number) => wordCharacter.test(read.charAt(at));
  const found = new Set<ListedInvoice>();
  for (const [end, at] of places.entries()) {
    if (!/\d/.test(read.charAt(at)) || isWord(at + 1)) continue;
    for (const length of lengths) {
      const start = end - length + 1;
      const first = places[start];
      if (first === undefined || (first > 0 && isWord(first - 1))) continue;
      const invoice = byNumber.get(letters.slice(start, end + 1));
      if (invoice === undefined) continue;
      found.add(invoice);
      break;
    }
  }
  return [...found];
}

/** A number of digits alone can be any number: it needs the amount of its invoice. */
export const isCertainNumber = ({ number = '', dueMinor }: ListedInvoice, amountMinor: number) =>
  /\p{L}/u.test(number) || dueMinor === amountMinor;
