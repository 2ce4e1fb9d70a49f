import { findDisclosures } from '../../shared/exports/disclosures/find-disclosures.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import type { MemoryTable } from '../support/memory-table.ts';
import type { Kept } from './kept.ts';

/** What a forgetting needs besides the profiles: its logs, and the exports with their files. */
export const forgettingPorts = (table: MemoryTable, { clock, exported: files, forgettings }: Kept) => ({
  forgettings,
  forgotten: forgottenPeople(table),
  disclosuresOf: findDisclosures({
    table,
    exports: exportRepository(table),
    files,
    clock: () => clock.now,
  }),
});
