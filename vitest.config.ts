import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: ['test/support/table-connection.ts', 'test/support/retry-budget.ts'],
    maxWorkers: 2,
    // Files share one module graph per worker: each keeps to its own keys and puts back what it patches.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
