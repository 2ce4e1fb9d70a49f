import { limits } from '../../config/limits.ts';
import type { Workflow } from '../../runtime/ports.ts';
import type { ImportJob } from '../items/import-job.ts';

/**
 * Starts the workflow of an undo. A second start does nothing as long as an execution can be running; afterwards it starts
 * another execution, which goes on where the first one ended.
 */
export const startUndo = (
  undos: Workflow,
  { property, import: importId, id, undo }: ImportJob,
  now: number,
): Promise<void> => {
  const execution = Math.floor((now - (undo?.started ?? now)) / LONGEST_MS);
  return undos.start(`p${property}-undo-${id}-${execution}`, { property, import: importId, job: id });
};

/** An execution has ended by then. */
const LONGEST_MS = (limits.workflows.timeoutSeconds + limits.imports.undoSeconds) * 1000;
