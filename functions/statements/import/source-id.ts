import { createHash } from 'node:crypto';
import type { BankEntry } from './file/entry.ts';

/**
 * The ids of entries at their bank: the same entry has the same id in every file that contains it, and two entries have two.
 *
 * With an id of the bank, the entry is what it states of itself: some banks use one id for several entries, and payers use
 * one `EndToEndId` for every payment of a standing order, so neither is an id alone. Without an id of the bank, equal
 * entries of a day are counted: a file that begins or ends within the day contains the first of them.
 *
 * A reversal can state all that its credit states, and is another entry.
 */
export function sourceIds(entries: readonly BankEntry[]): string[] {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const {
      account,
      bankId,
      endToEndId,
      amountMinor,
      currency,
      valueAtMs,
      text,
      structured,
      name,
      iban,
      kind,
    } = entry;
    const described = [account, amountMinor, currency, endToEndId, text, structured, name, iban].concat(
      kind === 'credit' ? [] : kind,
    );
    if (bankId !== undefined) return hashOf(['id', bankId, ...described]);
    const key = JSON.stringify([valueAtMs, ...described]);
    const position = seen.get(key) ?? 0;
    seen.set(key, position + 1);
    return hashOf(['entry', valueAtMs, position, ...described]);
  });
}

/** JSON writes a field that is absent as null. */
function hashOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}
