/**
 * npm run walks: walks clients at random through requests and time, and recounts the books after every step. It runs the
 * test of the walks with a number of steps and a seed, so that a walk in CI and a walk on demand are the same.
 */
import { spawnSync } from 'node:child_process';
import { optionsOrUsage } from '../support/parallel/options.ts';

const { bound, seed } = optionsOrUsage('walks', process.argv.slice(2), 20_000);
process.stdout.write(`Seed ${seed}, ${bound} steps\n`);
const { status } = spawnSync(
  'npx',
  [
    'vitest',
    'run',
    'test/handlers/functions/subscriptions/machine/walks.test.ts',
    '--disable-console-intercept',
  ],
  {
    stdio: 'inherit',
    env: { ...process.env, WALK_STEPS: String(bound), WALK_SEED: String(seed) },
  },
);
process.exitCode = status ?? 1;
