/** Counts the requests that are under way, by function, and lets no more in than a function may have. */
export class Turnstile {
  readonly #inside = new Map<string, number>();

  /** Lets one more request in; `false`, and nothing is counted, when `most` are under way. */
  enter(name: string, most: number): boolean {
    const inside = this.#inside.get(name) ?? 0;
    if (inside >= most) return false;
    this.#inside.set(name, inside + 1);
    return true;
  }

  /** Says that a request which was let in has ended. */
  leave(name: string): void {
    const inside = this.#inside.get(name) ?? 0;
    if (inside === 0) throw new Error(`http api: nothing is under way at ${name}`);
    if (inside === 1) this.#inside.delete(name);
    else this.#inside.set(name, inside - 1);
  }
}
