import { type Decision, reversedId, type StoredEntry } from '../statements/import/statement.ts';

/** The outcomes of entries that a confirmation leads to, in the order of a page. */
export const outcomes = ['applied', 'waits', 'reversed', 'skipped', 'duplicate'] as const;
export type Outcome = (typeof outcomes)[number];

/** The outcome of an entry, unless its subscription changes until then. */
export function outcomeOf(entry: StoredEntry, decision: Decision | undefined): Outcome {
  if (entry.match === 'duplicate') return 'duplicate';
  if (decision !== undefined && 'skip' in decision) return 'skipped';
  if (entry.match === 'reversal')
    return decision === undefined && reversedId(entry) === undefined ? 'skipped' : 'reversed';
  if (decision !== undefined) return 'unapplied' in decision ? 'waits' : 'applied';
  return entry.match === 'matched' ? 'applied' : 'waits';
}
