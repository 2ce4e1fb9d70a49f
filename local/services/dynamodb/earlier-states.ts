import type { Item } from './types.ts';

/** Items whose earlier state is remembered: those that were written last. */
const MOST = 10_000;

/** What an item was before its last write; `item` is undefined where there was none. */
interface Earlier {
  readonly item: Item | undefined;
}

/**
 * What items were before their last write. An eventually consistent read may answer with that for a while in AWS; here it
 * always does, so that a test notices a read that should have been consistent.
 */
export class EarlierStates {
  readonly #states = new Map<string, Earlier>();

  /** Notes what an item was before a write that is done. */
  note(key: string, item: Item | undefined): void {
    this.#states.delete(key);
    this.#states.set(key, { item });
    if (this.#states.size <= MOST) return;
    const [oldest] = this.#states.keys();
    if (oldest !== undefined) this.#states.delete(oldest);
  }

  /** The earlier state of an item; undefined for an item that was not written lately. */
  of(key: string): Earlier | undefined {
    return this.#states.get(key);
  }
}
