import { printColumns } from '../support/parallel/progress.ts';

/** The report of one judge: its examination and its findings. */
export interface Report {
  readonly judge: string;
  /** The examined things, with counts. */
  readonly examined: string;
  /** One line for each fault; none when all is well. */
  readonly faults: readonly string[];
}

/** Prints a row for each judge, then the faults. */
export function printReports(reports: readonly (Report & { readonly seconds: number })[]): void {
  const rows = reports.map(({ judge, faults, seconds, examined }) => [
    judge,
    faults.length,
    Math.round(seconds),
    examined,
  ]);
  printColumns([['judge', 'faults', 'seconds', 'examined'], ...rows]);
  const found = reports.reduce((sum, { faults }) => sum + faults.length, 0);
  process.stdout.write(`${reports.length} judges, ${found} faults\n`);
  for (const { judge, faults } of reports) {
    for (const fault of faults.slice(0, 50)) process.stdout.write(`${judge}: ${fault}\n`);
    if (faults.length > 50) process.stdout.write(`${judge}: and ${faults.length - 50} more\n`);
  }
}
