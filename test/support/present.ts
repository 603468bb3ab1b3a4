/** Puts the clock and the environment that a test changed back after it. A clock that the file stopped for all its tests stays. */

let isOfFile = false;
beforeEach(() => {
  isOfFile = vi.isFakeTimers();
});
afterEach(() => {
  vi.unstubAllEnvs();
  if (!isOfFile) vi.useRealTimers();
});
