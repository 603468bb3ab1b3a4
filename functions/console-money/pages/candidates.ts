/** The records that money can be for, as choices of a person. */
import { formatAmount } from '../../shared/money/format.ts';
import type { Candidate } from '../../statements/import/statement.ts';

/** Money that arrived. In minor units. */
interface Money {
  readonly amountMinor: number;
  readonly currency: string;
}

/** The candidate that is preset: the only one of which exactly the amount is due. A person keeps it, or decides otherwise. */
export function exactCandidate(
  candidates: readonly Candidate[],
  { amountMinor }: Money,
): Candidate | undefined {
  const [exact, ...more] = candidates.filter(({ dueMinor }) => dueMinor === amountMinor);
  return more.length === 0 ? exact : undefined;
}

/** A candidate in full: its number, what is due of it, and its client. */
export function candidateText(
  { subscriptionId, externalId, invoiceId, invoiceNumber, referenceNumber, clientName, dueMinor }: Candidate,
  { currency }: Money,
): string {
  const record = invoiceNumber ?? invoiceId ?? referenceNumber ?? subscriptionId;
  return joined(record, `${formatAmount(dueMinor, currency)} due`, clientName, externalId);
}

/** The difference between money and what is due of its candidate. */
export function differenceText(
  { amountMinor, currency }: Money,
  { dueMinor }: Candidate,
): string | undefined {
  if (amountMinor === dueMinor) return undefined;
  return amountMinor < dueMinor
    ? `partial: ${formatAmount(dueMinor - amountMinor, currency)} stays due`
    : `${formatAmount(amountMinor - dueMinor, currency)} more than due`;
}

export const joined = (...texts: readonly (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined).join(', ');
