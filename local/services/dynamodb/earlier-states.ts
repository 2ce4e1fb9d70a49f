import { Recent } from './recent.ts';
import type { Item } from './types.ts';

/** Number of items, those written last, whose earlier state is remembered for certain. */
const MOST = 10_000;

/** The state of an item before its last write. `item` is undefined when the item did not exist. */
interface Earlier {
  readonly item: Item | undefined;
}

/**
 * Earlier states of items. In AWS an eventually consistent read may return an earlier state for a while. Here it always
 * does, so that a test notices a read that must be consistent.
 */
export class EarlierStates {
  readonly #states = new Recent<Earlier>(MOST);

  /** Records the state of an item before a completed write. */
  note(key: string, item: Item | undefined): void {
    this.#states.set(key, { item });
  }

  /** The earlier state of an item; undefined for items that were not written recently. */
  of(key: string): Earlier | undefined {
    return this.#states.get(key);
  }
}
