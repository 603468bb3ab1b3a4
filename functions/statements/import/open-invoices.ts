import { defined } from '../../shared/contract/defined.ts';
import type { ListedInvoice, matchStore } from './match-store.ts';
import { isSameName, wordsOf } from './names.ts';
import type { Candidate, Purpose, SplitPart, StoredEntry } from './statement.ts';

/** Longer than what any bank transmits. */
const maxText = 4_000;
/** A number has a prefix, and six digits or more. */
const digits = /\d{6}/;
/** The characters that banks leave out of a number, or put into it. */
const gap = /[\s\-./:_]/g;
const wordCharacter = /[\p{L}\p{N}]/u;

const compact = (text: string) => text.toUpperCase().replaceAll(gap, '');

const canHaveNumber = (text: string) => digits.test(compact(text));

interface NumberedInvoices {
  readonly byNumber: ReadonlyMap<string, ListedInvoice>;
  readonly lengths: readonly number[];
}

function numberedInvoices(invoices: readonly ListedInvoice[]): NumberedInvoices {
  const byNumber = new Map<string, ListedInvoice>();
  for (const invoice of invoices) {
    if (invoice.number !== undefined) byNumber.set(compact(invoice.number), invoice);
  }
  const lengths = new Set([...byNumber.keys()].map((number) => number.length));
  return { byNumber, lengths: [...lengths].toSorted((a, b) => b - a) };
}

/** The invoices whose numbers are in a text as words of their own, in any case and with spaces or dashes in them. */
function invoicesIn(text: string, { byNumber, lengths }: NumberedInvoices): ListedInvoice[] {
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
const isCertainNumber = ({ number = '', dueMinor }: ListedInvoice, amountMinor: number) =>
  /\p{L}/u.test(number) || dueMinor === amountMinor;

export const maxCandidates = 5;
const maxName = 140;

/** A person decides between candidates, unless a split says what each of them gets. */
export const suggested = (
  candidates: readonly Candidate[],
  split: readonly SplitPart[] | undefined,
): Purpose =>
  split === undefined ? { match: 'suggested', candidates } : { match: 'matched', candidates, split };

interface WithText {
  readonly stored: StoredEntry;
  readonly text: string;
}

/**
 * Entries without a reference, with the open invoices that they name by the number in the series of the seller; or that have their amount, and a
 * client of the payer's name.
 */
export async function withOpenInvoices(
  applicationId: string,
  all: readonly WithText[],
  store: Pick<typeof matchStore, 'openInvoices' | 'clientNames'>,
): Promise<StoredEntry[]> {
  const canName = ({ stored, text }: WithText) => stored.match === 'unknown' && canHaveNumber(text);
  const isWanted = all.some((one) => isNamed(one.stored) || canName(one));
  const open = isWanted ? await store.openInvoices(applicationId) : [];
  const numbered = numberedInvoices(open);
  const entries = all.map((one) =>
    canName(one) ? withNumbers(one.stored, invoicesIn(one.text, numbered)) : one.stored,
  );
  return withNames(applicationId, entries, open, store);
}

function withNumbers(entry: StoredEntry, named: readonly ListedInvoice[]): StoredEntry {
  const invoices = named.filter(({ currency }) => currency === entry.currency);
  const [first] = invoices;
  if (first === undefined) return entry;
  const isCertain = invoices.length === 1 && isCertainNumber(first, entry.amountMinor);
  const candidates = invoices.slice(0, maxCandidates).map((invoice) => invoiceCandidate(invoice));
  const parts = invoices.map(({ invoiceId, dueMinor }) => ({ invoiceId, amountMinor: dueMinor }));
  if (isCertain) return { ...entry, match: 'matched', candidates };
  return { ...entry, ...suggested(candidates, splitOf(entry, parts)) };
}

/** Proposals of more parts are for nobody to look through. */
const maxParts = 20;

export function splitOf(
  { amountMinor }: { amountMinor: number },
  parts: readonly SplitPart[],
): readonly SplitPart[] | undefined {
  const sum = parts.reduce((sum, part) => sum + part.amountMinor, 0);
  return parts.length > 1 && parts.length <= maxParts && sum === amountMinor ? parts : undefined;
}

async function withNames(
  applicationId: string,
  entries: readonly StoredEntry[],
  open: readonly ListedInvoice[],
  store: Pick<typeof matchStore, 'clientNames'>,
): Promise<StoredEntry[]> {
  const wanted = new Set(entries.filter(isNamed).map(amountKey));
  if (wanted.size === 0) return [...entries];
  const invoices = open.filter((one) => wanted.has(dueKey(one)));
  const names = await store.clientNames(
    applicationId,
    invoices.map(({ externalId }) => externalId),
  );
  const byWord = new Map<string, NamedInvoice[]>();
  for (const invoice of invoices) {
    const clientName = names.get(invoice.externalId);
    if (clientName === undefined) continue;
    const words = wordsOf(clientName);
    for (const word of words) {
      const key = `${dueKey(invoice)} ${word}`;
      const list = byWord.get(key) ?? [];
      list.push({ invoice, clientName, words });
      byWord.set(key, list);
    }
  }
  return entries.map((entry) => {
    if (!isNamed(entry)) return entry;
    const words = wordsOf(entry.name);
    const near = new Set([...words].flatMap((word) => byWord.get(`${amountKey(entry)} ${word}`) ?? []));
    const same = [...near].filter((one) => isSameName(words, one.words));
    const distinct = new Map(same.map((one) => [one.invoice.invoiceId, one]));
    if (distinct.size === 0) return entry;
    const candidates = [...distinct.values()]
      .slice(0, maxCandidates)
      .map(({ invoice, clientName }) => invoiceCandidate(invoice, clientName));
    return { ...entry, match: 'suggested', candidates };
  });
}

interface NamedInvoice {
  invoice: ListedInvoice;
  clientName: string;
  words: ReadonlySet<string>;
}

const isNamed = (entry: StoredEntry): entry is StoredEntry & { name: string } =>
  entry.match === 'unknown' && entry.name !== undefined;

export function invoiceCandidate(
  { subscriptionId, externalId, invoiceId, number, dueMinor }: ListedInvoice,
  clientName?: string,
): Candidate {
  const named = defined({ invoiceNumber: number, clientName: clientName?.slice(0, maxName) });
  return { subscriptionId, externalId, invoiceId, dueMinor, ...named };
}

const dueKey = ({ dueMinor, currency }: ListedInvoice) => amountKey({ amountMinor: dueMinor, currency });
const amountKey = ({ amountMinor, currency }: { amountMinor: number; currency: string }) =>
  `${currency} ${amountMinor}`;
