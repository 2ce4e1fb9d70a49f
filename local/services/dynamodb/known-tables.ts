import type { KeySchemaTable, Store } from 'dynalite/db/index.js';

/**
 * Caches the description of an active table. dynalite's actions read it from the storage at every call, which costs as
 * much as a short query. The embedded cloud neither changes nor deletes tables.
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
