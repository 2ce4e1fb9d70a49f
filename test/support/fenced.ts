import { callInTime } from '../../shared/runtime/deadline.ts';
import type { Table } from '../../shared/table/table.ts';

/** A table whose every call is sent within the deadline of the work that it is for, as calls of the AWS clients are. */
export const fenced = (table: Table): Table => ({
  get: (key) => callInTime(() => table.get(key)),
  getMany: (keys) => callInTime(() => table.getMany(keys)),
  query: (pk, range) => callInTime(() => table.query(pk, range)),
  write: (write) => callInTime(() => table.write(write)),
  writeMany: (writes) => callInTime(() => table.writeMany(writes)),
  transact: (writes) => callInTime(() => table.transact(writes)),
  put: (key, set) => callInTime(() => table.put(key, set)),
  increment: (key, by, options) => callInTime(() => table.increment(key, by, options)),
});
