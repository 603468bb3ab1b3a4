/** The people behind the decisions about entries: one person decides, and another confirms. */
import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../shared/contract/defined.ts';
import type { Operator } from '../../shared/contract/operator-scopes.ts';
import {
  type BankStatement,
  type Decision,
  type DecisionAuthor,
  type Decisions,
  reversedId,
  type StoredEntry,
} from './statement.ts';

/** The authors of the kept decisions after a change. A person who repeats a decision of another one is not its author. */
export function authorsOf(
  { drafts: former = {}, draftAuthors = [] }: Pick<BankStatement, 'drafts' | 'draftAuthors'>,
  drafts: Decisions,
  { keyId, name }: Pick<Operator, 'keyId' | 'name'>,
): DecisionAuthor[] {
  const isFormer = (n: number) => isDeepStrictEqual(former[n], drafts[n]);
  const changed = Object.keys(drafts)
    .map(Number)
    .filter((n) => !isFormer(n));
  const left = draftAuthors.map((author) => ({
    ...author,
    entries: author.entries.filter((n) => drafts[n] !== undefined && isFormer(n)),
  }));
  const own = left.find((author) => author.keyId === keyId) ?? { keyId, name, entries: [] };
  const others = left.filter((author) => author.keyId !== keyId);
  const all = [...others, { ...own, entries: [...own.entries, ...changed] }];
  return all.filter(({ entries }) => entries.length > 0);
}

/** A decision about an entry. `by` is the person who kept it in the console: `unknown` when an earlier release stored it. */
export interface Decided {
  readonly decision: Decision;
  readonly by?: Pick<DecisionAuthor, 'keyId' | 'name'> | 'unknown';
}

/** The decision about an entry. @param decisions those that count: by default those that are kept, or after the confirmation its own. */
export function decidedOn(
  { status, drafts = {}, draftAuthors = [], decisions: confirmed = {} }: BankStatement,
  n: number,
  decisions: Decisions = status === 'ready' ? drafts : confirmed,
): Decided | undefined {
  const decision = decisions[n];
  if (decision === undefined) return undefined;
  if (!isDeepStrictEqual(decision, drafts[n])) return { decision };
  return { decision, by: draftAuthors.find(({ entries }) => entries.includes(n)) ?? 'unknown' };
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
  return match !== undefined && Object.values(decision)[0] !== match;
}

/** Whether a person who confirms has to see a decision: it overrides a match, or it is of another person. */
export const isNotable = (
  entry: StoredEntry,
  { decision, by }: Decided,
  keyId: string | undefined,
): boolean => overrides(entry, decision) || (by !== undefined && (by === 'unknown' || by.keyId !== keyId));

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
  const author = by === undefined || by === 'unknown' ? by : { id: by.keyId, name: by.name };
  return [`entry ${entry.n}`, defined({ match: matchOf(entry), decision, by: author })];
}
