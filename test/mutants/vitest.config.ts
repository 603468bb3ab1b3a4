import { defineConfig } from 'vitest/config';

/** The pure tests of the functions alone, which StrykerJS runs for each mutant. Those of the list of events read other tests. */
export default defineConfig({
  test: {
    // No test is timed: StrykerJS ends those that hang, by how long they take without a mutant.
    testTimeout: 120_000,
    include: ['test/pure/functions/**/*.test.ts'],
    exclude: ['test/pure/functions/events.test.ts'],
  },
});
