import { defined } from '../../shared/contract/defined.ts';
import { canHaveNumber, invoicesIn, isCertainNumber, numberedInvoices } from './invoice-numbers.ts';
import type { ListedInvoice, matchStore } from './match-store.ts';
import { isSameName, wordsOf } from './names.ts';
import type { Candidate, Purpose, SplitPart, StoredEntry } from './statement.ts';

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

/** Invoices whose amounts due add up to that of an entry. */
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
