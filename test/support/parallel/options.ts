import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

/** The command line of a program that runs many cases in parallel. */
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
 * Reads the command line of a program, or ends it: with its usage for `--help`, or with 2 and what is wrong.
 *
 * @param script `faults`.
 */
export function optionsOrUsage(script: string, args: readonly string[], defaultBound: number): RunOptions {
  const usage = `Usage: npm run ${script} -- [<number>] [--seed <n>] [--workers <n>] [--only <text>]
The number is ${defaultBound} by default. --only keeps the cases whose name contains the text. See docs/robustness.md.`;
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return runOptions(args, defaultBound);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}\n`);
    process.exit(2);
  }
}

/**
 * Reads `[<bound>] [--seed <n>] [--workers <n>] [--only <text>]`.
 * @throws TypeError for an unknown option or a number that is none.
 */
function runOptions(args: readonly string[], defaultBound: number): RunOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { seed: { type: 'string' }, workers: { type: 'string' }, only: { type: 'string' } },
  });
  const [bound = String(defaultBound), ...more] = positionals;
  if (more.length > 0) throw new TypeError(`Unexpected ${more.join(' ')}`);
  return {
    bound: whole('The number of cases', bound, 1),
    seed: values.seed === undefined ? randomInt(largestSeed) : whole('The seed', values.seed),
    workers:
      values.workers === undefined
        ? availableParallelism()
        : whole('The number of workers', values.workers, 1),
    only: values.only ?? '',
  };
}

function whole(name: string, text: string, least = 0): number {
  const value = Number(text.replaceAll(/[_,]/g, ''));
  if (!Number.isSafeInteger(value) || value < least)
    throw new TypeError(`${name} must be a whole number from ${least}, not "${text}".`);
  return value;
}
