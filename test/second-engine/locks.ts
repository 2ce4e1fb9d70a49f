/** Exclusive locks by name, granted in the order of the calls. All names of a call are taken at once: no deadlock. */
export class Locks {
  readonly #last = new Map<string, Promise<undefined>>();

  /** Runs `work` once no earlier call holds one of the names. */
  async hold<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = names.flatMap((name) => this.#last.get(name) ?? []);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    for (const name of names) this.#last.set(name, promise);
    try {
      await Promise.all(before);
      return await work();
    } finally {
      for (const name of names) if (this.#last.get(name) === promise) this.#last.delete(name);
      resolve(undefined);
    }
  }

  /** Waits until no call holds a name. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}
