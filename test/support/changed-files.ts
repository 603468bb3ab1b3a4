import { execFileSync } from 'node:child_process';

const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8', stdio: 'pipe' }).trim();

function found(...words: string[]): string | undefined {
  try {
    return git(...words);
  } catch {
    return undefined;
  }
}

/** The files that differ from main, new ones included. On main itself, and in a clone without it: those of the last commit as well. */
export function changedFiles(): ReadonlySet<string> {
  const branched = found('merge-base', 'main', 'HEAD');
  const isBranch = branched !== undefined && branched !== git('rev-parse', 'HEAD');
  // A clone may have one commit.
  const base = isBranch ? branched : (found('rev-parse', '--verify', 'HEAD^') ?? 'HEAD');
  return new Set(
    [git('diff', '--name-only', base), git('ls-files', '--others', '--exclude-standard')]
      .join('\n')
      .split('\n'),
  );
}
