/** A program that looks for more than `npm test` has time for. */
export interface Program {
  readonly name: string;
  /** Its command, whole, as every night runs it. */
  readonly whole: string;
  /** Its part in CI: the same cases in every run of a commit. */
  readonly sample?: string;
  /** The line with its figures: the last one like this. */
  readonly figures: RegExp;
  readonly env?: Readonly<Record<string, string>>;
}

const ofVitest = /^ +Tests /;
const ofProgress = /^\d+ \w+ in .* broken$/;

export const programs: readonly Program[] = [
  {
    name: 'suite',
    whole: 'npm run test:tools && npm test',
    figures: ofVitest,
    env: { THOROUGH_TESTS: 'true' },
  },
  {
    name: 'calendar',
    whole: 'npm run test:calendar',
    sample: 'npm run test:calendar -- 2028-02-29T23:30:00Z Pacific/Auckland test/pure/functions/plans',
    figures: ofVitest,
  },
  {
    name: 'planted',
    whole: 'npm run planted',
    sample: 'npm run planted -- 2 --seed 1',
    figures: /planted faults are caught/,
  },
  {
    name: 'mutants',
    whole: 'npm run mutants',
    sample: 'npm run mutants -- functions/payments/reported.ts',
    figures: / all$/,
  },
  {
    name: 'faults',
    whole: 'npm run faults -- 10200',
    sample: 'npm run faults -- 100 --seed 1 --only notices.',
    figures: ofProgress,
  },
  {
    name: 'orders',
    whole: 'npm run orders && npm run orders -- 400 --faults',
    sample:
      'npm run orders -- 80 --changed --seed 1 && npm run orders -- 30 --seed 1 && npm run orders -- 6 --faults --seed 1',
    figures: ofProgress,
  },
  {
    name: 'fuzz',
    whole: 'npm run fuzz -- 100000',
    sample: 'npm run fuzz -- 500 --seed 1',
    figures: ofProgress,
  },
  {
    name: 'walks',
    whole: 'npm run walks -- 6000',
    sample: 'npm run walks -- 30 --seed 2',
    figures: ofVitest,
  },
  {
    name: 'judges',
    whole: 'npm run judges',
    sample: 'npm run judges -- sample',
    figures: /^\d+ judges/,
  },
  {
    name: 'bench',
    whole: 'npm run bench',
    sample: 'npm run bench -- sample',
    figures: /over (its|their) budget/i,
  },
];
