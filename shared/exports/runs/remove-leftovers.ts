import type { ObjectStore } from '../../runtime/ports.ts';
import type { ExportJob } from '../model/items.ts';
import { jobFolders } from '../model/work-keys.ts';

/**
 * Removes the objects that attempts at an ended job left in the exports bucket: a file whose job was cancelled during
 * the write, or a file that two attempts wrote. No item names such an object, so no client could open it. The caller
 * makes sure that no step can still write.
 */
export const removeLeftovers = async (
  files: Pick<ObjectStore, 'list' | 'remove'>,
  job: ExportJob,
): Promise<void> => {
  const kept = new Set(keptObjects(job));
  for (const folder of jobFolders(job))
    for (const key of await files.list(folder)) if (!kept.has(key)) await files.remove(key);
};

/** Only a complete job keeps objects: its file, its manifest, and its members, the base of the next delta. */
const keptObjects = ({ status, file, plan }: ExportJob): readonly (string | undefined)[] =>
  status === 'complete' ? [file?.key, file?.manifest_key, plan?.members_key] : [];
