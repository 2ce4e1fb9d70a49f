import type { Key } from '../../shared/table/keys.ts';
import type { StoredItem } from '../../shared/table/table.ts';
import { MemoryTable } from '../support/memory-table.ts';

/** Returns a number below `count`, from 0. */
export type Choose = (count: number) => number;

/** A seeded generator (mulberry32), so that a seed reproduces its schedule. */
export const seeded = (seed: number): Choose => {
  let state = seed;
  return (count) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
};

/** One of some values. */
export const pick = <const T>(from: readonly T[], choose: Choose): T => {
  const picked = from[choose(from.length)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
};

/** The error of a writer that the test has killed. */
export class Killed extends Error {}

/**
 * A table on which every single read and write waits for its turn. The table splits a read of many items into reads of one
 * item, because DynamoDB does not read many items at one instant either.
 */
export class TurnTable extends MemoryTable {
  readonly #waiting: Turn[];
  readonly #mode: { free: boolean };

  constructor() {
    const waiting: Turn[] = [];
    const mode = { free: true };
    super(() =>
      mode.free
        ? undefined
        : new Promise<void>(
            (go, kill) =>
              void waiting.push({
                go,
                kill: () => {
                  kill(new Killed());
                },
              }),
          ),
    );
    this.#waiting = waiting;
    this.#mode = mode;
  }

  override async getMany(keys: readonly Key[]): Promise<readonly (StoredItem | undefined)[]> {
    const items: (StoredItem | undefined)[] = [];
    for (const key of keys) items.push(await this.get(key));
    return items;
  }

  /**
   * Runs these writers together; `choose` picks the writer of the next operation. One operation in `deadly` kills its
   * writer instead.
   */
  async interleave<T>(
    writers: readonly (() => Promise<T>)[],
    choose: Choose,
    deadly = Number.POSITIVE_INFINITY,
  ): Promise<PromiseSettledResult<T>[]> {
    this.#mode.free = false;
    let running = writers.length;
    const ends = writers.map((writer) =>
      writer().finally(() => {
        running -= 1;
      }),
    );
    const settled = Promise.allSettled(ends);
    while (running > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#waiting.length === 0) continue;
      const [turn] = this.#waiting.splice(choose(this.#waiting.length), 1);
      if (Number.isFinite(deadly) && choose(deadly) === 0) turn?.kill();
      else turn?.go();
    }
    this.#mode.free = true;
    return settled;
  }
}

interface Turn {
  readonly go: () => void;
  readonly kill: () => void;
}
