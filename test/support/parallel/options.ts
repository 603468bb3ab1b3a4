import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

/** What a program that runs many cases in parallel is told on its command line. */
export interface RunOptions {
  /** Number of cases. */
  bound: number;
  /** The same seed gives the same cases. */
  seed: number;
  workers: number;
  /** Cases whose name contains this text; all when empty. */
  only: string;
}

const largestSeed = 2 ** 31;

/**
 * Reads `[<bound>] [--seed <n>] [--workers <n>] [--only <text>]`.
 * @throws TypeError for an unknown option or a number that is none.
 */
export function runOptions(args: readonly string[], defaultBound: number): RunOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { seed: { type: 'string' }, workers: { type: 'string' }, only: { type: 'string' } },
  });
  const [bound = String(defaultBound), ...more] = positionals;
  if (more.length > 0) throw new TypeError(`Unexpected ${more.join(' ')}`);
  return {
    bound: whole('The bound', bound),
    seed: values.seed === undefined ? randomInt(largestSeed) : whole('The seed', values.seed),
    workers: values.workers === undefined ? availableParallelism() : whole('workers', values.workers),
    only: values.only ?? '',
  };
}

function whole(name: string, text: string): number {
  const value = Number(text.replaceAll(/[_,]/g, ''));
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`${name} must be a whole number`);
  return value;
}
