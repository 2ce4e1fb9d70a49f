import { NOW, scope } from '../profiles/harness.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryTable } from '../support/memory-table.ts';

/**
 * What stays when the table of a service is restored and all processes start again: the time, the objects, the log of
 * forgettings, the rules of the property.
 */
export const newKept = () => ({
  clock: { now: NOW },
  uploads: new MemoryObjects(),
  work: new MemoryObjects(),
  exported: new MemoryObjects(),
  forgettings: new MemoryTable(),
  rules: { ...scope.rules },
});
export type Kept = ReturnType<typeof newKept>;
