/**
 * How many samples a test takes that draws them: random sequences, points of a crash, seeds. `npm test` takes a few,
 * and `THOROUGH_TESTS=true npm test`, which CI runs, takes many. No guarantee is left to CI alone.
 */
export const samples = <T>({ few, many }: { few: T; many: T }): T =>
  process.env.THOROUGH_TESTS === 'true' ? many : few;
