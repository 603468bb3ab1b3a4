import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    // Files share one module graph per worker: each keeps to its own keys and puts back what it patches.
    isolate: false,
    testTimeout: 20_000,
  },
});
