import { reversibleMinor } from '../../ledger/claims.ts';
import type { Payment } from '../../ledger/payment.ts';
import { defined } from '../../shared/contract/defined.ts';
import { isIban } from '../../shared/money/bank-account.ts';
import { dayMs } from '../../shared/runtime/clock.ts';
import type { Facts } from '../../shared/table/listing.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import type { BankEntry } from './file/entry.ts';
import type { matchStore } from './match-store.ts';
import { isSameName, wordsOf } from './names.ts';
import type { ReversedPayment, StoredEntry } from './statement.ts';

interface Reversible {
  readonly payment: ReversedPayment;
  readonly currency: string;
  readonly leftMinor: number;
  readonly returnedMinor: number;
  readonly ids: readonly string[];
  readonly iban: string | undefined;
  /** Of the name of the payer. */
  readonly words: ReadonlySet<string>;
  readonly subscriptionId: string | undefined;
  /** The entries of statements that took something of it back. */
  readonly reversedBy: ReadonlySet<string>;
}

const ibanOf = ({ iban = '' }: Readonly<Partial<Record<'iban', string | undefined>>> = {}) =>
  isIban(iban) ? iban : undefined;

const maxCandidates = 5;

function reversibleOf(payment: Payment): Reversible {
  const {
    paymentId,
    amountMinor,
    currency,
    valueAtMs,
    externalId,
    subscriptionId,
    payer,
    claims = {},
  } = payment;
  return {
    payment: { paymentId, amountMinor, valueAtMs, ...defined({ externalId, name: payer?.name }) },
    currency,
    leftMinor: reversibleMinor(claims, amountMinor),
    returnedMinor: payment.returnedMinor,
    ids: payment.transferIds ?? [],
    words: wordsOf(payer?.name ?? ''),
    reversedBy: new Set(Object.keys(claims.reversals?.entries ?? {})),
    iban: ibanOf(payer),
    subscriptionId,
  };
}

/** A credit of the same file, which is recorded before what takes it back. */
function reversibleEntry(entry: StoredEntry): Reversible {
  const { paymentId, amountMinor, currency, valueAtMs, name, ids = [] } = entry;
  const [candidate] = entry.match === 'matched' ? entry.candidates : [];
  return {
    payment: { paymentId, amountMinor, valueAtMs, ...defined({ externalId: candidate?.externalId, name }) },
    currency,
    leftMinor: amountMinor,
    returnedMinor: 0,
    ids,
    words: wordsOf(name ?? ''),
    reversedBy: new Set(),
    iban: ibanOf(entry),
    subscriptionId: candidate?.subscriptionId,
  };
}

interface Found {
  readonly payments: readonly ReversedPayment[];
  readonly isCertain: boolean;
}

/**
 * The payments that a reversal can be of. An id that both have decides, then a reference number with the amount, then the account of the payer
 * with the amount. A name with the amount is for a person to decide, and so are several payments.
 *
 * @param named the subscriptions that the entry names.
 */
function reversedPayments(
  entry: BankEntry,
  named: ReadonlySet<string>,
  reversibles: readonly Reversible[],
): Found {
  const words = wordsOf(entry.name ?? '');
  const account = ibanOf(entry);
  const fitting = reversibles.filter(
    ({ currency, leftMinor, payment, iban }) =>
      currency === entry.currency &&
      leftMinor >= entry.amountMinor &&
      payment.valueAtMs <= entry.valueAtMs &&
      (iban ?? account) === (account ?? iban),
  );
  const isWhole = ({ payment }: Reversible) => payment.amountMinor === entry.amountMinor;
  const isOfAccount = ({ iban }: Reversible) => iban !== undefined && iban === account;
  // Payers use ids such as `1`: one of another payer is no proof.
  const isOfOther = (one: Reversible) =>
    !isOfAccount(one) && words.size > 0 && one.words.size > 0 && !isSameName(words, one.words);
  // The bank can state the transfer with which the seller sent a part back.
  const isOfSeller = ({ returnedMinor }: Reversible) => returnedMinor === entry.amountMinor;
  const byId = fitting.filter(({ ids }) => ids.some((id) => entry.ids.includes(id)));
  const isCertain = !byId.some((one) => isOfOther(one) || isOfSeller(one));
  if (byId.length > 0) return found(preferring(byId, isWhole), isCertain);
  const byReference = fitting.filter(({ subscriptionId = '' }) => named.has(subscriptionId));
  // Banks take a transfer back whole. A part of it is for a person to decide.
  if (byReference.length > 0) return found(preferring(byReference, isWhole), byReference.some(isWhole));
  const whole = fitting.filter(isWhole);
  const byAccount = whole.filter(isOfAccount);
  if (byAccount.length > 0) return found(byAccount, true);
  return found(
    whole.filter((one) => isSameName(words, one.words)),
    false,
  );
}

function found(list: readonly Reversible[], isCertain: boolean): Found {
  const payments = list.map(({ payment }) => payment).toSorted((a, b) => b.valueAtMs - a.valueAtMs);
  return { payments: payments.slice(0, maxCandidates), isCertain: isCertain && payments.length === 1 };
}

function preferring(
  list: readonly Reversible[],
  isBetter: (one: Reversible) => boolean,
): readonly Reversible[] {
  const better = list.filter(isBetter);
  return better.length > 0 ? better : list;
}

const none: Found = { payments: [], isCertain: false };

/** An entry as the file has it, as it is stored, and the subscriptions that it names. */
export interface MatchedEntry {
  readonly entry: BankEntry;
  readonly stored: StoredEntry;
  readonly named: readonly Subscription[];
}

function takenBy(one: Reversible, paymentId: string | undefined, { amountMinor }: BankEntry): Reversible {
  return one.payment.paymentId === paymentId ? { ...one, leftMinor: one.leftMinor - amountMinor } : one;
}

/** The reversals of a file for which a payment is looked for. A person decides about the others. */
const maxReversals = 500;
/** How long after a payment a bank takes it back: 13 months for one that the payer did not authorise (Directive (EU) 2015/2366, Article 71). */
const maxAgeMs = 400 * dayMs;
/** Payments of another amount, which only an id can name. */
const maxOthers = 1_000;

/** The entries with the payments that their reversals take back. Without a reversal, nothing is read. */
export async function withReversals(
  applicationId: string,
  entries: readonly MatchedEntry[],
  store: Pick<typeof matchStore, 'reversiblePayments'>,
): Promise<StoredEntry[]> {
  const reversals = entries.filter(({ entry }) => entry.kind === 'reversal').slice(0, maxReversals);
  const [first] = reversals;
  if (first === undefined) return entries.map(({ stored }) => stored);
  const amounts = new Set(reversals.map(({ entry }) => `${entry.currency} ${entry.amountMinor}`));
  const clients = new Set(reversals.flatMap(({ named }) => named.map(({ externalId }) => externalId)));
  let others = 0;
  const wanted = ({ currency, amountMinor, externalId }: Facts) => {
    if (amounts.has(`${currency} ${amountMinor}`) || clients.has(String(externalId))) return true;
    others += 1;
    return others <= maxOthers;
  };
  const fromMs = first.entry.valueAtMs - maxAgeMs;
  const payments = await store.reversiblePayments(applicationId, fromMs, wanted);
  const credits = entries
    .map(({ stored }) => stored)
    .filter(({ match }) => match !== 'duplicate' && match !== 'reversal');
  let reversibles = [...payments.map(reversibleOf), ...credits.map(reversibleEntry)];
  const seen = new Set<string>();
  return entries.map(({ entry, stored, named }) => {
    if (entry.kind !== 'reversal') return stored;
    const { sourceId } = stored;
    const before = reversibles.find(({ reversedBy }) => reversedBy.has(sourceId));
    const isRepeated = before !== undefined || seen.has(sourceId);
    seen.add(sourceId);
    if (isRepeated)
      return {
        ...stored,
        match: 'duplicate',
        payments: [],
        ...defined({ reverses: before?.payment.paymentId }),
      };
    const subscriptionIds = new Set(named.map(({ subscriptionId }) => subscriptionId));
    const { payments, isCertain } =
      seen.size > maxReversals ? none : reversedPayments(entry, subscriptionIds, reversibles);
    const reverses = isCertain && entry.isOneTransfer ? payments[0]?.paymentId : undefined;
    reversibles = reversibles.map((one) => takenBy(one, reverses, entry));
    return { ...stored, match: 'reversal', payments, ...defined({ reverses }) };
  });
}
