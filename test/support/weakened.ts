import type { MemoryTable } from './memory-table.ts';
import type { Write } from '../../shared/table/table.ts';
import { gate } from './table-view.ts';

/** A guard that is left out: it drops a write of a transaction, or takes a condition from it. */
export type LeftOut = (write: Write) => Write | undefined;

/** Nothing is left out. */
export const whole: LeftOut = (write) => write;

/** Drops the writes of which this holds. */
export const dropping =
  (isDropped: (write: Write) => boolean): LeftOut =>
  (write) =>
    isDropped(write) ? undefined : write;

/** Takes the condition from the writes of which this holds. */
export const unconditional =
  (isFreed: (write: Write) => boolean): LeftOut =>
  (write) =>
    write.kind !== 'insert' && isFreed(write) ? { ...write, expect: {} } : write;

/**
 * Runs `first` until its transaction, then `second` to its end, then the transaction of `first`: the interleaving that the
 * condition of a transaction is for. Both leave out a guard.
 */
export const overtaken = async (
  table: MemoryTable,
  leftOut: LeftOut,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<void> => {
  const transact = table.transact.bind(table);
  const { pass, during } = gate();
  let isFirst = true;
  table.transact = async (writes) => {
    const isHeld = isFirst;
    isFirst = false;
    if (isHeld) await pass();
    return transact(writes.flatMap((write) => leftOut(write) ?? []));
  };
  await during(first, second);
  table.transact = transact;
};
