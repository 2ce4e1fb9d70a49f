import type { Table, Write } from '../../shared/table/table.ts';

/** A table with some of its operations replaced. */
export const viewOf = (table: Table, replaced: Partial<Table>): Table => ({
  get: (key) => table.get(key),
  getMany: (wanted) => table.getMany(wanted),
  query: (pk, range) => table.query(pk, range),
  write: (write) => table.write(write),
  writeMany: (writes) => table.writeMany(writes),
  transact: (writes) => table.transact(writes),
  put: (key, set) => table.put(key, set),
  increment: (key, by, options) => table.increment(key, by, options),
  ...replaced,
});

/** A table that reports some writes as applied without applying them, to show that a test notices their absence. */
export const withoutWrites = (table: Table, isLost: (write: Write) => boolean): Table => {
  const write = async (one: Write) => (isLost(one) ? 'applied' : table.write(one));
  return viewOf(table, {
    write,
    writeMany: (writes) => Promise.all(writes.map(write)),
    transact: (writes) => table.transact(writes.filter((one) => !isLost(one))),
  });
};

/** A point that one party reaches and waits at until the test lets it go on. */
export const gate = () => {
  const reached = Promise.withResolvers<undefined>();
  const opened = Promise.withResolvers<undefined>();
  const open = (): void => opened.resolve(undefined);
  return {
    /** Resolves once a caller waits at the gate. */
    reached: reached.promise,
    /** Called by the party that is to wait. */
    pass: async (): Promise<void> => {
      reached.resolve(undefined);
      await opened.promise;
    },
    open,
    /** Does something else while some work waits at the gate, then lets the work go on to its end. */
    during: async <T>(work: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> => {
      const done = work();
      await reached.promise;
      await meanwhile();
      open();
      return done;
    },
  };
};
