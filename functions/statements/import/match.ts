import { sumDueMinor } from '../../invoices/due.ts';
import { paymentIdOf } from '../../ledger/payment-id.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import type { BankEntry } from './entry.ts';
import type { ListedInvoice, matchStore } from './match-store.ts';
import { isSameName, wordsOf } from './names.ts';
import { statedReferences } from './references.ts';
import { withReversals } from './reversals.ts';
import { sourceIds } from './source-id.ts';
import type { Candidate, StoredEntry } from './statement.ts';

const maxCandidates = 5;
/** The length of texts that are stored for a person to read. Matching reads more of them. */
const maxText = 500;
const maxName = 140;
const maxBankId = 100;

type Store = typeof matchStore;

/**
 * Matches the entries of a statement with subscriptions, invoices and payments, and changes nothing. Entries are sorted by value date: banks list
 * the newest first or last. Of a day, credits come before what takes them back.
 */
export async function matchEntries(
  applicationId: string,
  unsorted: readonly BankEntry[],
  store: Store,
): Promise<StoredEntry[]> {
  const entries = unsorted.toSorted(
    (a, b) => a.valueAtMs - b.valueAtMs || Number(isReversal(a)) - Number(isReversal(b)),
  );
  const ids = sourceIds(entries);
  const described = entries.map((entry, i) => {
    const sourceId = ids[i] ?? '';
    const paymentId = paymentIdOf(applicationId, 'bank', sourceId);
    const stated = statedReferences(payerText(entry), entry.structured);
    return { entry, sourceId, paymentId, stated };
  });
  const references = described.flatMap(({ stated }) => [...stated.certain, ...stated.possible]);
  const [recorded, subscriptions] = await Promise.all([
    store.recorded(
      applicationId,
      described.map(({ paymentId }) => paymentId),
    ),
    store.byReference(applicationId, references),
  ]);
  const seen = new Set<string>();
  const result = described.map(({ entry, sourceId, paymentId, stated }, i) => {
    const isRepeated = recorded.has(paymentId) || seen.has(paymentId);
    seen.add(paymentId);
    const of = (list: readonly string[]) => list.flatMap((reference) => subscriptions.get(reference) ?? []);
    const named = of(stated.certain);
    const certain = named.map((one) => candidateOf(one, entry));
    const possible = of(stated.possible).map((one) => candidateOf(one, entry));
    const candidates = [...certain, ...possible].slice(0, maxCandidates);
    const stored: StoredEntry = {
      n: i + 1,
      match: matchKind({ entry, isRepeated, certain: certain.length, candidates: candidates.length }),
      amountMinor: entry.amountMinor,
      currency: entry.currency,
      valueAtMs: entry.valueAtMs,
      sourceId,
      paymentId,
      text: shownText([entry.text, ...entry.structured].join(' '), maxText),
      ...defined({
        bankId: entry.bankId && shownText(entry.bankId, maxBankId),
        name: entry.name && shownText(entry.name, maxName),
        iban: entry.iban && shownText(entry.iban, maxName),
        ids: entry.ids.length > 0 ? entry.ids.map((id) => shownText(id, maxBankId)) : undefined,
      }),
    };
    const isShown = stored.match === 'matched' || stored.match === 'suggested';
    return { entry, stored: isShown ? withCandidates(stored, candidates) : stored, named };
  });
  return suggested(applicationId, await withReversals(applicationId, result, store), store);
}

const isReversal = ({ kind }: BankEntry) => kind !== 'credit';

/** The length of an `EndToEndId` in ISO 20022. */
const maxEndToEndId = 35;

/** The payer's text and `EndToEndId`. No reference number goes over the bar between them. */
const payerText = ({ endToEndId = '', text }: BankEntry) => `${endToEndId.slice(0, maxEndToEndId)} | ${text}`;

/** A text of a bank in one line, without control characters and direction overrides. */
function shownText(text: string, maxLength: number): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\s]+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
}

function matchKind({
  entry,
  isRepeated,
  certain,
  candidates,
}: {
  entry: BankEntry;
  isRepeated: boolean;
  certain: number;
  candidates: number;
}): StoredEntry['match'] {
  if (isReversal(entry)) return 'reversal';
  if (isRepeated) return 'duplicate';
  if (certain === 1) return 'matched';
  return candidates > 0 ? 'suggested' : 'unknown';
}

const withCandidates = (entry: StoredEntry, candidates: readonly Candidate[]): StoredEntry => ({
  ...entry,
  candidates: entry.match === 'matched' ? candidates.slice(0, 1) : candidates,
});

function candidateOf(subscription: Subscription, { currency }: BankEntry): Candidate {
  const { subscriptionId, externalId, referenceNumber, openInvoices } = subscription;
  const dueMinor = sumDueMinor(openInvoices, currency);
  return { subscriptionId, externalId, referenceNumber, dueMinor };
}

/** Entries without a reference, with the open invoices that have their amount and a client of the payer's name. */
async function suggested(
  applicationId: string,
  entries: readonly StoredEntry[],
  store: Store,
): Promise<StoredEntry[]> {
  const wanted = new Set(entries.filter(isNamed).map(amountKey));
  if (wanted.size === 0) return [...entries];
  const invoices = (await store.openInvoices(applicationId)).filter((one) => wanted.has(dueKey(one)));
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
    const candidates = [...distinct.values()].slice(0, maxCandidates).map(invoiceCandidate);
    return withCandidates({ ...entry, match: 'suggested' }, candidates);
  });
}

interface NamedInvoice {
  invoice: ListedInvoice;
  clientName: string;
  words: ReadonlySet<string>;
}

const isNamed = (entry: StoredEntry): entry is StoredEntry & { name: string } =>
  entry.match === 'unknown' && entry.name !== undefined;

function invoiceCandidate({ invoice, clientName }: NamedInvoice): Candidate {
  const { subscriptionId, externalId, invoiceId, dueMinor } = invoice;
  return { subscriptionId, externalId, invoiceId, clientName: clientName.slice(0, maxName), dueMinor };
}

const dueKey = ({ dueMinor, currency }: ListedInvoice) => amountKey({ amountMinor: dueMinor, currency });
const amountKey = ({ amountMinor, currency }: { amountMinor: number; currency: string }) =>
  `${currency} ${amountMinor}`;
