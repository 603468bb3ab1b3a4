/** A cache in the memory of the function, whose entries expire. The oldest entry is evicted when there is one too many. */
export class ExpiringCache<V> {
  readonly #entries = new Map<string, { value: V; untilMs: number }>();
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /** The value of an entry that has not expired. @param nowMs epoch milliseconds. */
  get(key: string, nowMs: number): V | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && nowMs < entry.untilMs ? entry.value : undefined;
  }

  /** Sets an entry. It becomes the newest, also when it replaces one. @param untilMs epoch milliseconds. */
  set(key: string, value: V, untilMs: number): void {
    this.#entries.delete(key);
    const oldest = this.#entries.size >= this.#maxEntries ? this.#entries.keys().next().value : undefined;
    if (oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(key, { value, untilMs });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
