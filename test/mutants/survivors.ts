import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The part of a report of StrykerJS that names its survivors. */
export interface Report {
  files: Record<
    string,
    {
      source: string;
      mutants: { status: string; replacement?: string; location: { start: Position; end: Position } }[];
    }
  >;
}

interface Position {
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
}

const file = join(import.meta.dirname, 'survivors.txt');

/** A survivor as `survivors.txt` names it, without its line, so that a change above it does not concern it. */
const named = (path: string, original: string, replacement: string) =>
  `${path}: ${short(original)} -> ${short(replacement)}`;

const short = (code: string) => code.replaceAll(/\s+/g, ' ').trim().slice(0, 90);

/** The mutants of a report that no test notices. One text for each, equal ones included. */
export function survivorsOf(report: Report): string[] {
  return Object.entries(report.files).flatMap(([path, { source, mutants }]) => {
    const lines = source.split('\n');
    const at = ({ line, column }: Position) =>
      lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
    return mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ location: { start, end }, replacement = '' }) =>
        named(path, source.slice(at(start), at(end)), replacement),
      );
  });
}

/** The survivors of `survivors.txt`. Each is a line below the reason, which begins with `#`. */
export function explained(): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** The elements of a list without those of another one; each takes one equal element away. */
export function without(all: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return all.filter((one) => {
    const i = left.indexOf(one);
    if (i >= 0) left.splice(i, 1);
    return i < 0;
  });
}
