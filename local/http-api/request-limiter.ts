/** A semaphore per function: counts running requests and refuses requests above the bound. */
export class RequestLimiter {
  readonly #inside = new Map<string, number>();

  /** Admits one more request; `false`, without counting, when `most` requests are running. */
  enter(name: string, most: number): boolean {
    const inside = this.#inside.get(name) ?? 0;
    if (inside >= most) return false;
    this.#inside.set(name, inside + 1);
    return true;
  }

  /** Releases the place of an admitted request. */
  leave(name: string): void {
    const inside = this.#inside.get(name) ?? 0;
    if (inside === 0) throw new Error(`HTTP API: no request to ${name} is running`);
    if (inside === 1) this.#inside.delete(name);
    else this.#inside.set(name, inside - 1);
  }
}
