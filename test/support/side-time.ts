/** Rounds of the event loop after which nobody has anything left to do, when tasks also wait for real work. */
const IDLE_ROUNDS = 200;

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/**
 * Time that goes on to the next sleeper once nobody has anything to do. Other than in `VirtualTime` one task may sleep
 * many times at once. `idleRounds` is 1 where tasks wait for nothing but this time.
 */
export class SideTime {
  #now = 0;
  #busy = 0;
  readonly #idleRounds: number;
  /** Latest first, and of two at the same time the later sleeper first. */
  readonly #sleepers: Sleeper[] = [];

  constructor(idleRounds = IDLE_ROUNDS) {
    this.#idleRounds = idleRounds;
  }

  /** Milliseconds from the beginning. */
  get now(): number {
    return this.#now;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      const at = this.#now + ms;
      this.#sleepers.splice(this.#placeOf(at), 0, { at, wake });
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
      if (idle < this.#idleRounds) continue;
      this.#wakeNext();
      idle = 0;
    }
    await ends;
  }

  /** The first place whose sleeper does not wake later. */
  #placeOf(at: number): number {
    let [low, high] = [0, this.#sleepers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sleepers[middle]?.at ?? 0) > at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #wakeNext(): void {
    const next = this.#sleepers.pop();
    if (!next) return;
    this.#now = next.at;
    next.wake();
  }
}
