import type { HistoryEntry, TrustLink } from '../api/responses.ts';

/** A field of a link with its value at the last decision and now. Null is none. */
export interface Change {
  field: 'title' | 'url' | 'platform' | 'description';
  before: string | null;
  now: string | null;
}

const fields = ['title', 'url', 'platform', 'description'] as const;

/**
 * The changes of a link since its last decision. A field that has its former value again is none.
 *
 * @param history the latest events, oldest first.
 * @returns undefined when no decision is among the events.
 */
export function changesSinceDecision(
  link: TrustLink,
  history: readonly HistoryEntry[],
): Change[] | undefined {
  const last = history.findLastIndex(({ event }) => event === 'verified' || event === 'rejected');
  if (last === -1) return undefined;
  // The earliest former value of a field is that of the decision.
  const former = new Map(
    history
      .slice(last + 1)
      .toReversed()
      .flatMap(({ before }) => Object.entries(before ?? {})),
  );
  return fields.flatMap((field) => {
    const now = link[field] ?? null;
    const before = former.get(field);
    return before === undefined || before === now ? [] : [{ field, before, now }];
  });
}
