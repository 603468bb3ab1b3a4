import { type Payment, unappliedMinor } from '../../ledger/payment.ts';
import { defined } from '../../shared/contract/defined.ts';

import { matchStore } from './match-store.ts';
import { invoiceCandidate, maxCandidates, withOpenInvoices } from './open-invoices.ts';
import { type Candidate, entryCandidates, type StoredEntry } from './statement.ts';

export interface WaitingPayment {
  readonly payment: Payment;
  /** The open invoices that it names, that have its amount and its payer's name, or that are its client's: at most five, the best first. */
  readonly candidates: readonly Candidate[];
}

/** Payments of an application with their candidates. Without payments, no invoice is read. */
export async function withCandidates(
  applicationId: string,
  payments: readonly Payment[],
): Promise<readonly WaitingPayment[]> {
  if (payments.length === 0) return [];
  const open = await matchStore.openInvoices(applicationId);
  const { clientNames } = matchStore;
  const entries = payments.map((payment, i) => ({
    stored: entryOf(payment, i + 1),
    text: payment.reference ?? '',
  }));
  const matched = await withOpenInvoices(applicationId, entries, {
    openInvoices: async () => open,
    clientNames,
  });
  const waiting = payments.map((payment, i) => {
    const entry = matched[i];
    const found = entry === undefined ? [] : entryCandidates(entry);
    const own = open.filter(
      ({ externalId, currency }) => externalId === payment.externalId && currency === payment.currency,
    );
    const all = [...found, ...own.map((invoice) => invoiceCandidate(invoice))];
    const distinct = new Map(all.toReversed().map((one) => [one.invoiceId, one]));
    return { payment, candidates: [...distinct.values()].toReversed().slice(0, maxCandidates) };
  });
  const numbered = await numbering(
    applicationId,
    waiting.flatMap(({ candidates }) => candidates),
  );
  return waiting.map(({ payment, candidates }) => ({ payment, candidates: numbered(candidates) }));
}

/** Entries whose candidates have the numbers of their invoices, for a person. */
export async function withInvoiceNumbers(
  applicationId: string,
  entries: readonly StoredEntry[],
): Promise<StoredEntry[]> {
  const numbered = await numbering(applicationId, entries.flatMap(entryCandidates));
  return entries.map((entry) =>
    'candidates' in entry ? { ...entry, candidates: numbered(entry.candidates) } : entry,
  );
}

/** Reads the numbers of invoices that candidates lack. @returns a function that adds them. */
async function numbering(
  applicationId: string,
  candidates: readonly Candidate[],
): Promise<(all: readonly Candidate[]) => Candidate[]> {
  const ids = candidates.flatMap(({ invoiceId, invoiceNumber }) =>
    invoiceId === undefined || invoiceNumber !== undefined ? [] : [invoiceId],
  );
  const numbers = await matchStore.invoiceNumbers(applicationId, ids);
  return (all) =>
    all.map((one) => {
      const { invoiceNumber = numbers.get(one.invoiceId ?? '') } = one;
      return { ...one, ...defined({ invoiceNumber }) };
    });
}

function entryOf(payment: Payment, n: number): StoredEntry {
  const { currency, valueAtMs, sourceId, paymentId, reference = '', payer } = payment;
  return {
    n,
    amountMinor: unappliedMinor(payment),
    currency,
    valueAtMs,
    sourceId,
    paymentId,
    text: reference,
    match: 'unknown',
    name: payer?.name,
    iban: undefined,
    bankId: undefined,
    ids: undefined,
  };
}
