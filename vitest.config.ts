import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that are slow by nature, the slowest first: they convert data, synthesize stacks, bundle, compile, start
 * browsers and processes, or follow subscriptions through months. `npm test` begins with them, so that none is left
 * over for the end; `npm run test:fast` leaves them out.
 */
export const slowFiles = ['test/lib/rules.test.ts'];

/** The slow files first; of the others those that took longest, or are longest. */
class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = slowFiles.findIndex((file) => moduleId.endsWith(`/${file}`));
      return index === -1 ? slowFiles.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

const hangGuardMs = 120_000;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: ['test/support/table-connection.ts', 'test/support/retry-budget.ts'],
    // Files share one module graph per worker: each keeps to its own keys and puts back what it patches.
    isolate: false,
    maxWorkers: availableParallelism(),
    sequence: { sequencer: SlowFilesFirst },
    // No test is timed by these: they end one that hangs, on a slow machine too.
    testTimeout: hangGuardMs,
    hookTimeout: hangGuardMs,
    expect: { poll: { timeout: hangGuardMs / 2 } },
  },
});
