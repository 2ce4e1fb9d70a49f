import type { KeySchemaTable, Store } from 'dynalite/db/index.js';

/**
 * Keeps the description of an active table: dynalite's actions read it from the storage at every call, which for a short
 * query costs as much as the query itself. Tables are neither changed nor deleted here.
 */
export const keepTable = async (store: Store, name: string): Promise<void> => {
  const read = store.getTable;
  const kept = await new Promise<KeySchemaTable>((resolve, reject) => {
    read(name, true, (error, table) => (error ? reject(error) : resolve(table)));
  });
  store.getTable = (wanted, checkStatus, done) => {
    const tell = typeof checkStatus === 'function' ? checkStatus : done;
    if (wanted === name) queueMicrotask(() => tell?.(null, kept));
    else read(wanted, checkStatus, done);
  };
};
