import { secondMs } from '../../../functions/shared/runtime/clock.ts';

const { stdout } = process;
const everyMs = stdout.isTTY ? secondMs / 5 : 5 * secondMs;

/** Prints how far a run is: one line that is rewritten, or a line every five seconds when the output is no terminal. */
export class Progress {
  readonly #total: number;
  readonly #what: string;
  readonly #startedMs = performance.now();
  #done = 0;
  #broken = 0;
  #printedMs = performance.now();

  /** @param what is counted, in the plural: `runs`. */
  constructor(total: number, what: string) {
    this.#total = total;
    this.#what = what;
  }

  /** Counts cases that ended. */
  add(done: number, broken: number): void {
    this.#done += done;
    this.#broken += broken;
    if (performance.now() - this.#printedMs < everyMs) return;
    this.#printedMs = performance.now();
    stdout.write(stdout.isTTY ? `\r\u001b[K${this.#line()}` : `${this.#line()}\n`);
  }

  /** Seconds since the start. */
  get seconds(): number {
    return (performance.now() - this.#startedMs) / secondMs;
  }

  /** Prints the total. */
  end(): void {
    const rate = (this.#done / this.seconds).toFixed(0);
    const text = `${this.#done} ${this.#what} in ${this.seconds.toFixed(1)} s, ${rate} a second, ${this.#broken} broken`;
    stdout.write(`${stdout.isTTY ? '\r\u001b[K' : ''}${text}\n`);
  }

  #line(): string {
    const rate = this.#done / this.seconds;
    const left = rate === 0 ? '?' : ((this.#total - this.#done) / rate).toFixed(0);
    const share = ((100 * this.#done) / this.#total).toFixed(0);
    return `${share}%  ${this.#done} of ${this.#total} ${this.#what}  ${rate.toFixed(0)} a second  ${this.#broken} broken  ${left} s left`;
  }
}

/** Prints rows in columns: those with nothing but numbers below their title to the right, all others to the left. */
export function printColumns(rows: readonly (readonly (string | number)[])[], indent = ''): void {
  const columns = Array.from({ length: Math.max(0, ...rows.map(({ length }) => length)) }, (_, i) => ({
    width: Math.max(...rows.map((row) => String(row[i] ?? '').length)),
    isNumber: rows.slice(1).every((row) => typeof row[i] === 'number'),
  }));
  for (const row of rows) {
    const cells = columns.map(({ width, isNumber }, i) => {
      const cell = String(row[i] ?? '');
      return isNumber ? cell.padStart(width) : cell.padEnd(width);
    });
    stdout.write(`${`${indent}${cells.join('  ')}`.trimEnd()}\n`);
  }
}
