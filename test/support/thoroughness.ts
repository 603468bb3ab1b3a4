/**
 * How many samples a test takes that draws them: random sequences, points of a crash, seeds. `npm test` takes a few,
 * and `THOROUGH_TESTS=true npm test`, which every night runs, takes many. No guarantee is left to the night alone.
 */
export const samples = <T>({ few, many }: { few: T; many: T }): T =>
  process.env.THOROUGH_TESTS === 'true' ? many : few;
