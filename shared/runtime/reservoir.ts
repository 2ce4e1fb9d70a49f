/** Reservoir: a sample of a stream whose length nobody knows before its end. */

/**
 * Draws `size` items of a stream, or all of a shorter one: each choice of items is as likely as any other. It asks only for the
 * items that it takes, about `size * (1 + ln(length / size))` of them (algorithm L of K.-H. Li, Reservoir-sampling algorithms
 * of time complexity O(n(1 + log(N/n))), ACM Transactions on Mathematical Software 20, 1994). `random` returns numbers from 0
 * to below 1.
 */
export class Reservoir<Item> {
  readonly #size: number;
  readonly #random: () => number;
  readonly #items: Item[] = [];
  #seen = 0;
  /** The position of the next item to take. */
  #next = 0;
  #weight = 1;

  constructor(size: number, random: () => number) {
    this.#size = size;
    this.#random = random;
  }

  /** The items that are drawn of those seen so far, in no order. */
  get items(): readonly Item[] {
    return this.#items;
  }

  /** The length of the stream so far. */
  get seen(): number {
    return this.#seen;
  }

  /** Sees the next `count` items of the stream. */
  see(count: number, itemAt: (index: number) => Item): void {
    const end = this.#seen + count;
    for (; this.#next < end; this.#next += this.#step()) {
      const item = itemAt(this.#next - this.#seen);
      if (this.#items.length < this.#size) this.#items.push(item);
      else this.#items[Math.floor(this.#random() * this.#size)] = item;
    }
    this.#seen = end;
  }

  /** The way to the next item to take. */
  #step(): number {
    if (this.#items.length < this.#size) return 1;
    this.#weight *= Math.exp(this.#logarithm() / this.#size);
    return Math.floor(this.#logarithm() / Math.log1p(-this.#weight)) + 1;
  }

  /** The logarithm of a random number above 0. */
  #logarithm(): number {
    return Math.log(1 - this.#random());
  }
}
