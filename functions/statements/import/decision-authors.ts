import { defined } from '../../shared/contract/defined.ts';
import { type Author, type BankStatement, type Decision, reversedId, type StoredEntry } from './statement.ts';

/** The decision about an entry. `by` is the person who kept it in the console. */
export interface Decided {
  readonly decision: Decision;
  readonly by: Author | undefined;
}

export function decidedOn(
  { decisions, authors }: Pick<BankStatement, 'decisions' | 'authors'>,
  n: number,
): Decided | undefined {
  const decided = decisions[n];
  if (decided === undefined) return undefined;
  const { decision, by } = decided;
  return { decision, by: by === undefined ? undefined : authors[by] };
}

/** The ids of the records that an entry is for without a decision. */
function matchOf(entry: StoredEntry): string | undefined {
  if (entry.match === 'reversal') return reversedId(entry);
  if (entry.match !== 'matched') return undefined;
  if ('split' in entry) return entry.split.map(({ invoiceId }) => invoiceId).join(', ');
  const [first] = entry.candidates;
  return first?.invoiceId ?? first?.subscriptionId;
}

/** Whether a decision stands against what the service found for certain. */
function overrides(entry: StoredEntry, decision: Decision): boolean {
  const match = matchOf(entry);
  return match !== undefined && !('asMatched' in decision) && Object.values(decision)[0] !== match;
}

/** Whether a person who confirms has to see a decision: it overrides a match, or it is of another person. */
export const isNotable = (
  entry: StoredEntry,
  { decision, by }: Decided,
  keyId: string | undefined,
): boolean => overrides(entry, decision) || (by !== undefined && by.keyId !== keyId);

/** The most entries that a record of an action names. */
const maxNoted = 50;

/** The notable decisions in the record of a confirmation: by entry, the match that was found, the decision and its author. */
export function notedDecisions(
  entries: readonly StoredEntry[],
  decidedOn: (n: number) => Decided | undefined,
  keyId: string | undefined,
): Readonly<Record<string, unknown>> | undefined {
  const noted = entries.flatMap((entry) => {
    const decided = decidedOn(entry.n);
    return decided !== undefined && isNotable(entry, decided, keyId) ? [noteOf(entry, decided)] : [];
  });
  if (noted.length === 0) return undefined;
  const more = noted.length - maxNoted;
  return Object.fromEntries([...noted.slice(0, maxNoted), ...(more > 0 ? [['further entries', more]] : [])]);
}

function noteOf(entry: StoredEntry, { decision, by }: Decided): [string, unknown] {
  const author = by && { id: by.keyId, name: by.name };
  return [`entry ${entry.n}`, defined({ match: matchOf(entry), decision, by: author })];
}
