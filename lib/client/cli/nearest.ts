// The package is built from this folder alone: functions/shared/lambda/nearest.ts does the same for the API and its operators.

/** The candidate that a mistyped word most likely stands for. Undefined when none is similar. */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((name) => ({ name, edits: editDistance(typed, name) }))
    .filter(({ name, edits }) => edits <= Math.max(typed.length, name.length) / 2)
    .sort((a, b) => a.edits - b.edits);
  return best?.name;
}

/** The Levenshtein distance: how many characters are inserted, removed or replaced. */
function editDistance(from: string, to: string): number {
  const start = Array.from({ length: to.length + 1 }, (_, i) => i);
  const last = [...from].reduce((row, letter, i) => {
    const next = [i + 1];
    for (let j = 0; j < to.length; j += 1) {
      const replaced = (row[j] ?? 0) + (letter === to[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    return next;
  }, start);
  return last.at(-1) ?? 0;
}
