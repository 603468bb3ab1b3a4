/** A quota as AWS enforces it: a bucket that is refilled continuously. Times are seconds and never go back. */
export class TokenBucket {
  readonly #capacity: number;
  readonly #perSecond: number;
  #tokens: number;
  #atSecond = 0;

  constructor({ bucket, perSecond }: { readonly bucket: number; readonly perSecond: number }) {
    this.#capacity = bucket;
    this.#perSecond = perSecond;
    this.#tokens = bucket;
  }

  /** Takes up to `count` tokens. @returns how many. */
  takeUpTo(count: number, atSecond: number): number {
    const gained = (atSecond - this.#atSecond) * this.#perSecond;
    this.#tokens = Math.min(this.#capacity, this.#tokens + gained);
    this.#atSecond = atSecond;
    const taken = Math.min(count, Math.floor(this.#tokens));
    this.#tokens -= taken;
    return taken;
  }
}
