/** Work that goes on after its call was answered, until the storage closes. */
export class Background {
  readonly #closing = new AbortController();
  readonly #works = new Set<Promise<void>>();

  /** True when work must end early. */
  get isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Takes up a work. `close` hears of its failure. */
  add(work: Promise<void>): void {
    this.#works.add(work);
    work.then(
      () => this.#works.delete(work),
      () => undefined,
    );
  }

  /** Waits for all work. Throws the failure of any. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#works);
  }
}
