/** Key locks: exclusive locks on the keys of a table, for the engine and for dynalite's actions. */
import type { SubDb } from 'dynalite/db/index.js';
import { storedKey } from './item-keys.ts';

/** A writer that waits for keys. */
interface Waiter {
  readonly turn: Promise<void>;
  readonly enter: () => void;
  /** Number of keys that others still hold. */
  missing: number;
}

const newWaiter = (): Waiter => {
  let enter = (): void => undefined;
  const turn = new Promise<void>((resolve) => {
    enter = resolve;
  });
  return { turn, enter, missing: 0 };
};

/**
 * Locks on keys, first come, first served. A waiter queues on all its keys at the same time, so waiters cannot deadlock.
 */
export class KeyLocks {
  /** The waiters of each held key; null without any. */
  readonly #held = new Map<string, Waiter[] | null>();

  /** Enters all keys, which are distinct: at once if they are free, otherwise when the promise is fulfilled. */
  enter(keys: readonly string[]): Promise<void> | undefined {
    let waiter: Waiter | undefined;
    for (const key of keys) {
      const waiters = this.#held.get(key);
      if (waiters === undefined) {
        this.#held.set(key, null);
        continue;
      }
      waiter ??= newWaiter();
      waiter.missing += 1;
      if (waiters) waiters.push(waiter);
      else this.#held.set(key, [waiter]);
    }
    return waiter?.turn;
  }

  /** Passes each key on to its first waiter, who enters in a later turn of the event loop. */
  leave(keys: readonly string[]): void {
    for (const key of keys) {
      const waiters = this.#held.get(key);
      const next = waiters?.shift();
      if (!next) {
        this.#held.delete(key);
        continue;
      }
      if (waiters?.length === 0) this.#held.set(key, null);
      next.missing -= 1;
      if (next.missing === 0) setImmediate(next.enter);
    }
  }
}

/** Makes dynalite's actions on a table use these locks. Its own keep the locked keys in a slow object. */
export const useLocks = (items: SubDb, table: string, locks: KeyLocks): void => {
  items.lock = (key, entered) => {
    const keys = [storedKey(table, key)];
    const enter = (): void =>
      entered((done) => (...args) => {
        locks.leave(keys);
        done(...args);
      });
    const waiting = locks.enter(keys);
    if (waiting) void waiting.then(enter);
    else enter();
  };
};
