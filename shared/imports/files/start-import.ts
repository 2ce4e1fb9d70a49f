/** `startImport`: starts the job of each file that arrives, for the queue of file events. */
import type { StoredObject } from '../items/import-job.ts';
import { auditDrop, auditAccess, type AuditDropDeps } from './audit-sftp.ts';
import type { FileEvent, ObjectCreated } from './file-events.ts';
import { parseUploadKey } from '../items/object-keys.ts';
import { dropOf, leaveBrokenFile, startDropped, type DropDeps } from './check-drop.ts';
import { attachFile, startWorkflow, type StartDeps } from './start-job.ts';
import { parseDropKey } from '../../sftp/paths.ts';

/**
 * Handles an event about a file. A file that has arrived starts a job. One version of an object starts one job, however
 * often its event is delivered. Actions over SFTP get an entry in the audit log.
 */
export const startImport = async (deps: DropDeps & AuditDropDeps, event: FileEvent): Promise<void> => {
  switch (event['detail-type']) {
    case 'Object Created':
      return startUploaded(deps, event);
    case 'SFTP Server File Upload Completed':
    case 'SFTP Server File Rename Completed': {
      const drop = dropOf(event);
      const started = await startDropped(deps, drop);
      if (!started.ok) deps.ignored(started.error, parseDropKey(drop.key));
      // Comes last, so that an outage of the audit log stops no import. The queue repeats the event until its entry is stored.
      return auditDrop(deps, event, started);
    }
    case 'SFTP Server File Upload Failed':
      await leaveBrokenFile(deps, event);
      return auditAccess(deps, event);
    case 'SFTP Server File Download Completed':
    case 'SFTP Server File Download Failed':
    case 'SFTP Server File Delete Completed':
      return auditAccess(deps, event);
  }
};

/**
 * Starts the job of a file that was uploaded to a pre-signed address. The file belongs to the job of the address, even
 * if the job was cancelled before. The address accepts one file (`If-None-Match: *` is part of its signature), so a
 * repeated PUT creates no second version.
 */
const startUploaded = async (deps: StartDeps, { detail, time }: ObjectCreated): Promise<void> => {
  const directory = parseUploadKey(detail.object.key);
  const job = directory && (await deps.imports.job(directory.property, directory.job));
  if (!job?.file || job.import !== directory?.import) {
    deps.ignored('elsewhere', directory);
    return;
  }
  const object: StoredObject = {
    bucket: 'uploads',
    key: detail.object.key,
    etag: `"${detail.object.etag.replaceAll('"', '')}"`,
    size: detail.object.size,
    checksum: null,
  };
  const { property, import: importId, id } = job;
  if (await attachFile(deps, { property, job: id }, { object, arrived: time }))
    await startWorkflow(deps, { property, import: importId, job: id });
  else deps.ignored('second_version', directory);
};
