import { execFileSync } from 'node:child_process';

/** The files that differ from main, new ones included. */
export function changedFiles(): ReadonlySet<string> {
  const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).split('\n');
  return new Set([
    ...git('diff', '--name-only', '--merge-base', 'main'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]);
}
