import type { ObjectStore } from '../../runtime/ports.ts';
import type { ExportJob } from '../model/items.ts';
import { jobFolders } from '../model/work-keys.ts';

/**
 * Removes what attempts at a job that has ended left in the store of files: a file that was cancelled while it was written,
 * or was written twice. No item names such an object, so nobody could open it. To be called once no step can still write.
 */
export const removeLeftovers = async (
  files: Pick<ObjectStore, 'list' | 'remove'>,
  job: ExportJob,
): Promise<void> => {
  const kept = new Set(keptObjects(job));
  for (const folder of jobFolders(job))
    for (const key of await files.list(folder)) if (!kept.has(key)) await files.remove(key);
};

/** Only a complete job has anything: its file, what describes it, and the members that a delta is counted from. */
const keptObjects = ({ status, file, plan }: ExportJob): readonly (string | undefined)[] =>
  status === 'complete' ? [file?.key, file?.manifest_key, plan?.members_key] : [];
