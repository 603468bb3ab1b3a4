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

let areTimesJudged = true;
/** One run of a sample says little about times: all of them count as within. */
export function judgeNoTimes(): void {
  areTimesJudged = false;
}

/** Says whether a figure, and the time beside it, is within its budget, and counts it if not. */
export function verdict(isWithin: boolean, isInTime = true): string {
  const isGood = isWithin && (isInTime || !areTimesJudged);
  if (!isGood) over += 1;
  return isGood ? 'within' : 'OVER';
}
