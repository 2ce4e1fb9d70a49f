import { undoCleanups } from '../../shared/ingest/undo-cleanups.ts';
import { findDisclosures } from '../../shared/exports/disclosures/find-disclosures.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import { lookAtDue } from '../support/look-at-tasks.ts';
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

/** Cleans the undo logs some hours later. Returns how many properties have had somebody forgotten. */
export const cleanLater = (table: MemoryTable, kept: Kept): Promise<number> => {
  kept.clock.now += 3 * 3_600_000;
  const { forgotten } = forgettingPorts(table, kept);
  const ports = { table, clock: () => kept.clock.now };
  return lookAtDue(ports, { 'undo-cleanup': undoCleanups({ ...ports, forgotten, work: kept.work }) });
};
