/**
 * Work under way that nobody waits for yet. A request waits for it before its answer, because Lambda freezes a function that
 * has answered.
 */
export class Pending {
  readonly #underWay = new Set<Promise<unknown>>();

  /** Adds work. Its error, if any, is thrown by `settled`. */
  add(work: Promise<unknown>): void {
    const ended = work.finally(() => this.#underWay.delete(ended));
    this.#underWay.add(ended);
    // Node would end the process for an error that nobody catches.
    ended.catch(() => undefined);
  }

  /** Resolves once no work is under way. Throws the error of work that failed meanwhile. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}
