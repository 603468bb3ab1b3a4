import { defineConfig } from 'vitest/config';

/**
 * The pure tests of the functions, which StrykerJS runs for each mutant. `events.test.ts` is not among them: it reads tests of
 * handlers, and StrykerJS copies none.
 */
export default defineConfig({
  test: {
    globals: true,
    // No test is timed: StrykerJS ends those that hang, by how long they take without a mutant.
    testTimeout: 120_000,
    include: ['test/pure/functions/**/*.test.ts'],
    exclude: ['test/pure/functions/events.test.ts'],
  },
});
