import { secondMs } from '../../../functions/shared/runtime/duration.ts';

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

/** Prints rows in columns: the first to the left, all others to the right. */
export function printColumns(rows: readonly (readonly (string | number)[])[]): void {
  const widths = rows.reduce<number[]>(
    (all, row) => row.map((cell, i) => Math.max(all[i] ?? 0, String(cell).length)),
    [],
  );
  for (const row of rows) {
    const cells = row.map((cell, i) =>
      i === 0 ? String(cell).padEnd(widths[i] ?? 0) : String(cell).padStart(widths[i] ?? 0),
    );
    stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}
