import { dueMinor, sumDueMinor } from '../../invoices/due.ts';
import { paymentIdOf } from '../../ledger/payment-id.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import { shownText } from './file/bounds.ts';
import { type BankEntry, UnreadableFile } from './file/entry.ts';
import type { matchStore } from './match-store.ts';
import { maxCandidates, splitOf, suggested, withOpenInvoices } from './open-invoices.ts';
import { type StatedReferences, statedReferences } from './references.ts';
import { withReversals } from './reversals.ts';
import { sourceIds } from './source-id.ts';
import type { Candidate, EntryFields, Purpose, SplitPart, StoredEntry } from './statement.ts';

/** The length of texts that are stored for a person to read. Matching reads more of them. */
const maxText = 500;
const maxName = 140;
const maxBankId = 100;

/** Each takes a read. Three for each of 10,000 entries are read within the time of a reading. */
const maxReferences = 30_000;

type Store = typeof matchStore;

/**
 * Matches the entries of a statement with subscriptions, invoices and payments, and changes nothing. Entries are sorted by value date: banks list
 * the newest first or last. Of a day, credits come before what takes them back.
 *
 * @throws UnreadableFile when they name more than {@link maxReferences} numbers.
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
  const references = new Set(described.flatMap(({ stated }) => [...stated.certain, ...stated.possible]));
  if (references.size > maxReferences)
    throw new UnreadableFile(
      `must have at most ${maxReferences} reference numbers, and words that can be one: export shorter periods`,
    );
  const [recorded, subscriptions] = await Promise.all([
    store.recorded(
      applicationId,
      described.map(({ paymentId }) => paymentId),
    ),
    store.byReference(applicationId, [...references]),
  ]);
  const seen = new Set<string>();
  const result = described.map(({ entry, sourceId, paymentId, stated }, i) => {
    const isRepeated = recorded.has(paymentId) || seen.has(paymentId);
    seen.add(paymentId);
    const of = (list: readonly string[]) => list.flatMap((reference) => subscriptions.get(reference) ?? []);
    const named = of(stated.certain);
    const certain = named.flatMap((one) => candidatesOf(one, entry, stated));
    const possible = of(stated.possible).map((one) => candidateOf(one, entry));
    const candidates = [...certain, ...possible].slice(0, maxCandidates);
    const split = named.length > 1 ? splitOf(entry, partsOf(certain, named, entry)) : undefined;
    const purpose = purposeOf({ entry, isRepeated, certain: named.length, candidates, split });
    const fields: EntryFields = {
      n: i + 1,
      amountMinor: entry.amountMinor,
      currency: entry.currency,
      valueAtMs: entry.valueAtMs,
      sourceId,
      paymentId,
      text: shownText([entry.text, ...entry.structured].join(' '), maxText),
      bankId: entry.bankId && shownText(entry.bankId, maxBankId),
      name: entry.name && shownText(entry.name, maxName),
      iban: entry.iban && shownText(entry.iban, maxName),
      ids: entry.ids.length > 0 ? entry.ids.map((id) => shownText(id, maxBankId)) : undefined,
    };
    return { entry, stored: { ...fields, ...purpose }, named };
  });
  const reversed = await withReversals(applicationId, result, store);
  const stored = await withOpenInvoices(
    applicationId,
    reversed.map((stored, i) => ({ stored, text: wholeText(entries[i]) })),
    store,
  );
  return stored.map((one, i) => (entries[i]?.isOneTransfer === true ? one : unlessMatched(one)));
}

/** An entry whose amount can be of another payer than its text: whatever it names, a person decides. */
function unlessMatched(stored: StoredEntry): StoredEntry {
  if (stored.match !== 'matched') return stored;
  const { split: _, ...rest } = Object.assign({ split: undefined }, stored);
  return { ...rest, match: 'suggested' };
}

/** The text in which numbers of the seller's series are looked for. */
const wholeText = (entry: BankEntry | undefined) =>
  entry === undefined ? '' : [payerText(entry), ...entry.structured].join(' | ');

const isReversal = ({ kind }: BankEntry) => kind !== 'credit';

const maxEndToEndId = 35;

/** The payer's text and `EndToEndId`. No reference number goes over the bar between them. */
const payerText = ({ endToEndId = '', text }: BankEntry) => `${endToEndId.slice(0, maxEndToEndId)} | ${text}`;

function purposeOf({
  entry,
  isRepeated,
  certain,
  candidates,
  split,
}: {
  entry: BankEntry;
  isRepeated: boolean;
  certain: number;
  candidates: readonly Candidate[];
  split: readonly SplitPart[] | undefined;
}): Purpose {
  if (isReversal(entry)) return { match: 'reversal' };
  if (isRepeated) return { match: 'duplicate' };
  if (certain === 1) return { match: 'matched', candidates: candidates.slice(0, 1) };
  return candidates.length > 0 ? suggested(candidates, split) : { match: 'unknown' };
}

/** The subscription, or those of its open invoices that the payer names. */
function candidatesOf(
  subscription: Subscription,
  entry: BankEntry,
  { invoices }: StatedReferences,
): Candidate[] {
  const { referenceNumber, openInvoices } = subscription;
  const ns = invoices.filter(({ reference }) => reference === referenceNumber).map(({ n }) => n);
  const named = openInvoices.filter(({ n, currency }) => ns.includes(n) && currency === entry.currency);
  const whole = candidateOf(subscription, entry);
  if (named.length === 0) return [whole];
  return named.map((invoice) => ({ ...whole, invoiceId: invoice.invoiceId, dueMinor: dueMinor(invoice) }));
}

/** The invoices that candidates name: of a subscription without one, all that are open. */
function partsOf(
  candidates: readonly Candidate[],
  subscriptions: readonly Subscription[],
  entry: BankEntry,
): SplitPart[] {
  return candidates.flatMap(({ subscriptionId, invoiceId, dueMinor: amountMinor }) => {
    if (invoiceId !== undefined) return [{ invoiceId, amountMinor }];
    const { openInvoices = [] } = subscriptions.find((one) => one.subscriptionId === subscriptionId) ?? {};
    return openInvoices
      .filter(({ currency }) => currency === entry.currency)
      .map((invoice) => ({ invoiceId: invoice.invoiceId, amountMinor: dueMinor(invoice) }));
  });
}

function candidateOf(subscription: Subscription, { currency }: BankEntry): Candidate {
  const { subscriptionId, externalId, referenceNumber, openInvoices } = subscription;
  const dueMinor = sumDueMinor(openInvoices, currency);
  return { subscriptionId, externalId, referenceNumber, dueMinor };
}
