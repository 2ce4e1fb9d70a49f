/**
 * A map of the entries that were set last: at least `size`, at most twice as many. It forgets the older half at once. To
 * find the single oldest entry of a `Map`, V8 walks over the places of all entries that were deleted before.
 */
export class Recent<V extends object> {
  readonly #size: number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  constructor(size: number) {
    this.#size = size;
  }

  set(key: string, value: V): void {
    this.#young.set(key, value);
    if (this.#young.size < this.#size) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  get(key: string): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }
}
