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
  const rows = reports.map(({ judge, examined, faults, seconds }) => [
    judge,
    faults.length === 0 ? 'no faults' : `${faults.length} faults`,
    `${seconds.toFixed(0)} s`,
    examined,
  ]);
  const widths = [0, 1, 2].map((i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const line = (row: string[]) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ');
  process.stdout.write(`${rows.map(line).join('\n')}\n`);
  for (const { judge, faults } of reports) {
    for (const fault of faults.slice(0, 50)) process.stdout.write(`${judge}: ${fault}\n`);
    if (faults.length > 50) process.stdout.write(`${judge}: and ${faults.length - 50} more\n`);
  }
}
