interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/**
 * Time that passes only while all tasks sleep, and then at once: minutes of waiting cost nothing, and as only one task is
 * awake at a time, a run depends on nothing but what the tasks do. A task must sleep on nothing else for long: until it
 * sleeps here, all others wait.
 */
export class VirtualTime {
  #now = 0;
  #awake = 0;
  readonly #sleepers: Sleeper[] = [];

  /** Runs tasks at once until all have ended. */
  async run<T>(tasks: readonly (() => Promise<T>)[]): Promise<readonly PromiseSettledResult<T>[]> {
    this.#awake = 1;
    const ends = Promise.allSettled(
      tasks.map(async (task) => {
        await this.sleep(0, false);
        return task().finally(() => this.#fallAsleep());
      }),
    );
    this.#fallAsleep();
    return ends;
  }

  /** Lets this much time pass for the task that asks. */
  sleep(ms: number, wasAwake = true): Promise<void> {
    return new Promise((wake) => {
      this.#sleepers.push({ at: this.#now + ms, wake });
      if (wasAwake) this.#fallAsleep();
    });
  }

  #fallAsleep(): void {
    this.#awake -= 1;
    if (this.#awake > 0) return;
    const next = this.#sleepers.reduce<Sleeper | undefined>(
      (first, one) => (first && first.at <= one.at ? first : one),
      undefined,
    );
    if (!next) return;
    this.#sleepers.splice(this.#sleepers.indexOf(next), 1);
    this.#now = next.at;
    this.#awake += 1;
    next.wake();
  }
}
