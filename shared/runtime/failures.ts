/**
 * Collects the failures of a walk over independent items: properties, jobs, tasks. A failing item must
 * not delay the others, now or at the next call, and its failure must not be lost either.
 */
export class Failures {
  readonly #thrown: unknown[] = [];

  /** Runs the work for one item. Keeps a thrown failure, and returns undefined then. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (failure) {
      this.#thrown.push(failure);
      return undefined;
    }
  }

  /** Throws the first failure, if there is one. A walk calls it at its end, so that its alarm rings. */
  throwFirst(): void {
    if (this.#thrown.length > 0) throw this.#thrown[0];
  }
}
