/** Goes through the files of a property in memory, as the function of the service does. */
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { importRepository } from '../../shared/imports/repository/repository.ts';
import { deleteOldFiles, type DeletedFiles } from '../../shared/retention/delete-old-files.ts';
import type { FileBucket } from '../../shared/properties/folders.ts';
import type { MemoryObjects } from '../support/memory-objects.ts';
import type { MemoryTable } from '../support/memory-table.ts';

export const DAY = 86_400_000;

interface Swept {
  readonly table: MemoryTable;
  readonly buckets: Readonly<Record<FileBucket, MemoryObjects>>;
  readonly now: number;
}

interface Sweep {
  readonly days?: number;
  readonly after?: string;
  readonly mayGoOn?: () => boolean;
}

/** One call for property 7 of account 1, from a place on; without `mayGoOn` a whole pass. */
export const sweep = (
  { table, buckets, now }: Swept,
  { days = 7, after = '', mayGoOn = () => true }: Sweep = {},
): Promise<DeletedFiles> =>
  deleteOldFiles(
    {
      table,
      buckets,
      imports: importRepository({ table, pause: () => Promise.resolve() }),
      exports: exportRepository(table),
      clock: () => now,
    },
    { account: 1, property: 7, days },
    { after, mayGoOn },
  );
