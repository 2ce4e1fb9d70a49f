import { limits } from '../../shared/config/limits.ts';
import { profileWriter } from '../../shared/ingest/profile-writer.ts';
import { cleanupTask, undoCleanups } from '../../shared/ingest/undo-cleanups.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { addTask } from '../../shared/tasks/tasks.ts';
import { NOW, scope } from '../profiles/harness.ts';
import { unloadedBrands } from '../support/brands.ts';
import { lookAtAll, tasksIn } from '../support/look-at-tasks.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryTable } from '../support/memory-table.ts';

/** How long a writer from before a forgetting may go on. */
export const HOUR_MS = limits.imports.undoCleanupSeconds * 1_000;

/** Forgotten people, and the cleanups of what else names them. `before` is called ahead of every operation. */
export const cleanupScene = (before: () => Promise<void> | void = () => undefined) => {
  const clock = { now: NOW };
  const table = new MemoryTable(before);
  const work = new MemoryObjects(before);
  const forgotten = forgottenPeople(table);
  const ports = { table, clock: () => clock.now };
  const writer = profileWriter({ ...ports, pause: () => Promise.resolve(), derivations: unloadedBrands });
  const scopeOf = () => Promise.resolve(scope);
  const kinds = { 'undo-cleanup': undoCleanups({ ...writer, scopeOf, forgotten, work, ids: systemIds }) };
  /** Announces a forgetting, as `forgetAnnounced` does. */
  const announce = async (property: number, ordinals: readonly number[]) => {
    const announced = await forgotten.announce(property, ordinals, clock.now);
    await addTask({ table, pause: () => Promise.resolve() }, cleanupTask(property, clock.now));
    return announced;
  };
  return {
    ...{ clock, table, work, forgotten, ports, announce },
    forget: async (property: number, ordinal: number): Promise<void> => {
      const announced = await announce(property, [ordinal]);
      await forgotten.settle(announced, [ordinal], clock.now);
    },
    clean: (mayGoOn?: () => boolean) => lookAtAll(ports, kinds, mayGoOn),
    owed: () => tasksIn(table),
  };
};
