/** A program that looks for more than `npm test` has time for. */
export interface Program {
  readonly name: string;
  /** Its command, whole, as every night runs it. */
  readonly whole: string;
  /** Its part in CI: the same cases in every run of a commit. */
  readonly sample?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export const programs: readonly Program[] = [
  { name: 'suite', whole: 'npm test', env: { THOROUGH_TESTS: 'true' } },
  { name: 'calendar', whole: 'npm run test:calendar' },
  { name: 'planted', whole: 'npm run planted', sample: 'npm run planted -- 4 --seed 1' },
  {
    name: 'mutants',
    whole: 'npm run mutants',
    sample: 'npm run mutants -- functions/statements/import/file/amount.ts functions/payments/reported.ts',
  },
  { name: 'faults', whole: 'npm run faults -- 10200', sample: 'npm run faults -- 250 --seed 1' },
  { name: 'orders', whole: 'npm run orders', sample: 'npm run orders -- 40 --seed 1' },
  { name: 'fuzz', whole: 'npm run fuzz -- 100000', sample: 'npm run fuzz -- 1000 --seed 1' },
  { name: 'walks', whole: 'npm run walks -- 6000', sample: 'npm run walks -- 240 --seed 1' },
  { name: 'judges', whole: 'npm run judges', sample: 'npm run judges -- sample' },
  { name: 'bench', whole: 'npm run bench', sample: 'npm run bench -- capacity shares devices links oauth' },
];
