/** Rounds of the event loop after which nobody has anything left to do. */
const IDLE_ROUNDS = 200;

/**
 * Time that goes on to the next sleeper once nobody has anything to do. Other than in `VirtualTime` one task may sleep
 * many times at once.
 */
export class SideTime {
  #now = 0;
  #busy = 0;
  readonly #sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  /** Milliseconds from the beginning. */
  get now(): number {
    return this.#now;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.#sleepers.push({ at: this.#now + ms, wake });
    });
  }

  /** Work that real time is needed for: no time passes meanwhile. */
  async busy<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1;
    return work().finally(() => {
      this.#busy -= 1;
    });
  }

  /** Runs tasks concurrently until all have ended; throws the first error of a task. */
  async run(tasks: readonly (() => Promise<void>)[]): Promise<void> {
    let left = tasks.length;
    const ends = Promise.all(
      tasks.map((task) =>
        task().finally(() => {
          left -= 1;
        }),
      ),
    );
    ends.catch(() => {
      left = 0;
    });
    for (let idle = 0; left > 0;) {
      await new Promise(setImmediate);
      idle = this.#busy > 0 ? 0 : idle + 1;
      if (idle < IDLE_ROUNDS) continue;
      this.#wakeNext();
      idle = 0;
    }
    await ends;
  }

  #wakeNext(): void {
    this.#sleepers.sort((a, b) => a.at - b.at);
    const next = this.#sleepers.shift();
    if (!next) return;
    this.#now = next.at;
    next.wake();
  }
}
