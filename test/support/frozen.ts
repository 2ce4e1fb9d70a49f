import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import type { Key } from '../../shared/table/keys.ts';
import type { Table, Write } from '../../shared/table/table.ts';
import { gate, viewOf } from './table-view.ts';

/** The table of one process, whose first operation of a certain kind hangs until it is let go. */
export const frozenAt = (table: Table, isIt: (operation: string, key: Key, write?: Write) => boolean) => {
  const { reached, pass, open: thaw, during } = gate();
  let stuck = false;
  const hold = async (isHeld: boolean): Promise<void> => {
    if (stuck || !isHeld) return;
    stuck = true;
    await pass();
  };
  const isHeld = (write: Write): boolean => isIt(write.kind, write.key, write);
  const view = viewOf(table, {
    get: async (key) => {
      await hold(isIt('get', key));
      return table.get(key);
    },
    getMany: async (keys) => {
      await hold(keys.some((key) => isIt('getMany', key)));
      return table.getMany(keys);
    },
    query: async (pk, range) => {
      await hold(isIt('query', { pk, sk: '' }));
      return table.query(pk, range);
    },
    write: async (write) => {
      await hold(isHeld(write));
      return table.write(write);
    },
    writeMany: async (writes) => {
      await hold(writes.some(isHeld));
      return table.writeMany(writes);
    },
    transact: async (writes) => {
      await hold(writes.some(isHeld));
      return table.transact(writes);
    },
  });
  return {
    ...{ view, thaw, reached },
    /** Does something else while some work on the view hangs, then lets the work go on to its end. */
    during: <T>(work: (view: Table) => Promise<T>, meanwhile: () => Promise<unknown>) =>
      during(() => work(view), meanwhile),
  };
};

/** The same for the first write of a kind to an item of a kind. */
export const frozenAtWrite = (table: Table, write: Write['kind'], item: ReturnType<typeof kindOfKey>) =>
  frozenAt(table, (operation, { pk }) => operation === write && kindOfKey(pk) === item);
