import { defineConfig } from 'vitest/config';

/** The pure tests of the functions alone, which StrykerJS runs for each mutant. Those of the list of events read other tests. */
export default defineConfig({
  test: {
    include: ['test/pure/functions/**/*.test.ts'],
    exclude: ['test/pure/functions/events.test.ts'],
  },
});
