import type { Table } from '../../shared/table/table.ts';
import { viewOf } from './table-view.ts';

/** The end of a process whose transaction was cut. */
export class Cut extends Error {}

/**
 * A table as a restore may leave it: of its next transaction only those writes are made whose places are in `made`, a set of
 * bits, and the process ends there. A backup does not guarantee consistency across items (docs/adr/0019). `size` tells the
 * number of writes of the transaction, once it was cut.
 */
export const cutTable = (
  table: Table,
  made: number,
): { readonly table: Table; readonly size: () => number } => {
  let size = 0;
  return {
    size: () => size,
    table: viewOf(table, {
      transact: async (writes) => {
        size = writes.length;
        await table.writeMany(writes.filter((_, place) => (made & (1 << place)) !== 0));
        throw new Cut();
      },
    }),
  };
};

/** Plays a story with each cut of its transaction: with no write made, with each combination, and with all of them. */
export const withEachCut = async (
  play: (made: number) => Promise<{ readonly size: () => number }>,
): Promise<void> => {
  for (let made = 0, size = 1; made < 1 << size; made += 1) size = (await play(made)).size();
};
