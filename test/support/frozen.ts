import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import type { Key } from '../../shared/table/keys.ts';
import type { Table, Write } from '../../shared/table/table.ts';
import { gate, viewOf } from './table-view.ts';

/** The table of one process, whose first operation of a certain kind hangs until it is let go. */
export const frozenAt = (table: Table, isIt: (operation: string, key: Key) => boolean) => {
  const { reached, pass, open: thaw } = gate();
  let stuck = false;
  const hold = async (operation: string, keys: readonly Key[]): Promise<void> => {
    if (stuck || !keys.some((key) => isIt(operation, key))) return;
    stuck = true;
    await pass();
  };
  const view = viewOf(table, {
    get: async (key) => {
      await hold('get', [key]);
      return table.get(key);
    },
    getMany: async (keys) => {
      await hold('getMany', keys);
      return table.getMany(keys);
    },
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
  });
  return { view, thaw, reached };
};

/** The same for the first write of a kind to an item of a kind. */
export const frozenAtWrite = (table: Table, write: Write['kind'], item: ReturnType<typeof kindOfKey>) =>
  frozenAt(table, (operation, { pk }) => operation === write && kindOfKey(pk) === item);
