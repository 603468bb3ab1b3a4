import { printColumns } from '../support/parallel/progress.ts';

/** Prints rows under a heading, in columns. */
export function printTable(
  heading: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): void {
  process.stdout.write(`\n${heading}\n`);
  printColumns([columns, ...rows], '  ');
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

/** The verdict on a time. One that was taken once is shown, and not judged. */
export const verdictOfTimes = (isWithin: boolean, count: number): string =>
  count > 1 ? verdict(isWithin) : 'not judged';
