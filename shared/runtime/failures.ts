/**
 * Failures of a walk over many things that have nothing to do with each other: properties, jobs, chores. One that fails must
 * not hold up the others, now or at the next call, and must not be forgotten either.
 */
export class Failures {
  readonly #thrown: unknown[] = [];

  /** Does the work for one of the things. Keeps what the work throws, and returns undefined then. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (failure) {
      this.#thrown.push(failure);
      return undefined;
    }
  }

  /** Throws the first failure, if there was any. A walk calls it at its end, so that its alarm rings. */
  throwFirst(): void {
    if (this.#thrown.length > 0) throw this.#thrown[0];
  }
}
