/** Prints rows under a heading, columns aligned; numbers to the right. */
export function printTable(heading: string, columns: string[], rows: (string | number)[][]): void {
  const cells = [columns, ...rows.map((row) => row.map(String))];
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? '').length)));
  const isNumber = columns.map((_, i) => rows.every((row) => typeof row[i] === 'number'));
  const line = (row: string[]) =>
    row
      .map((cell, i) => (isNumber[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ');
  process.stdout.write(`\n${heading}\n${cells.map((row) => `  ${line(row)}`.trimEnd()).join('\n')}\n`);
}

/** The value that a quarter of the values are below: other load on the machine only adds time. */
export function lowerQuartile(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 4)] ?? Number.NaN;
}

export const round = (value: number, places = 1): number => Number(value.toFixed(places));

/** How many figures of this run are over their budgets. */
let over = 0;
export const figuresOver = (): number => over;

/** Says whether a figure is within its budget, and counts it if not. */
export function verdict(isWithin: boolean): string {
  if (!isWithin) over += 1;
  return isWithin ? 'within' : 'OVER';
}
