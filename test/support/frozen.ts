import type { Key } from '../../shared/table/keys.ts';
import type { Table } from '../../shared/table/table.ts';

/** The table of one process, whose first operation of a certain kind hangs until it is let go. */
export const frozenAt = (table: Table, isIt: (operation: string, key: Key) => boolean) => {
  let thaw: () => void = () => undefined;
  const thawed = new Promise<void>((resolve) => (thaw = resolve));
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  let stuck = false;
  const hold = async (operation: string, keys: readonly Key[]): Promise<void> => {
    if (stuck || !keys.some((key) => isIt(operation, key))) return;
    stuck = true;
    reach();
    await thawed;
  };
  const view: Table = {
    get: async (key) => {
      await hold('get', [key]);
      return table.get(key);
    },
    getMany: async (keys) => {
      await hold('getMany', keys);
      return table.getMany(keys);
    },
    query: (pk, range) => table.query(pk, range),
    write: async (write) => {
      await hold(write.kind, [write.key]);
      return table.write(write);
    },
    writeMany: async (writes) => {
      for (const { kind, key } of writes) await hold(kind, [key]);
      return table.writeMany(writes);
    },
    transact: async (writes) => {
      for (const { kind, key } of writes) await hold(kind, [key]);
      return table.transact(writes);
    },
    put: (key, set) => table.put(key, set),
    increment: (key, by, options) => table.increment(key, by, options),
  };
  return { view, thaw, reached };
};
