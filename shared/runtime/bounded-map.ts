/**
 * A map with at most `limit` entries: a new entry displaces the oldest. For caches of facts that never change,
 * or that carry their own expiry.
 */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  /**
   * The keys in order of arrival, as a ring whose oldest is at `#next`. To ask a map for its first key takes longer the more
   * keys were deleted before it: 6 µs for each new entry of a full map of 20,000, against 0.3 µs (measured).
   */
  readonly #keys: K[] = [];
  readonly #limit: number;
  #next = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** Removes an entry. Its place in the order stays taken; an entry of the same key takes another. */
  delete(key: K): void {
    this.#entries.delete(key);
  }

  set(key: K, value: V): void {
    if (!this.#entries.has(key)) {
      const oldest = this.#keys[this.#next];
      if (oldest !== undefined) this.#entries.delete(oldest);
      this.#keys[this.#next] = key;
      this.#next = (this.#next + 1) % this.#limit;
    }
    this.#entries.set(key, value);
  }
}
