import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import type { AuditTrail } from '../../audit/audit-trail.ts';
import type { ApiAnswer, PublicRequest } from '../../http/api-types.ts';
import type { Problem } from '../../http/problem.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import type { Result } from '../../runtime/result.ts';
import { err, ok } from '../../runtime/result.ts';
import type { Table } from '../../table/table.ts';
import { downloadItem, type ExportJob } from '../model/items.ts';
import { downloadKey } from '../model/location.ts';
import type { ExportRepository } from '../model/repository.ts';
import { manifestName } from '../model/work-keys.ts';

/** What opening a location needs. */
export interface DownloadDeps {
  readonly audit: Pick<AuditTrail, 'add'>;
  readonly table: Table;
  readonly exports: ExportRepository;
  readonly files: ObjectStore;
}

const closed: Problem = {
  status: 403,
  code: 'location_closed',
  detail: 'This location does not open a file, or no longer does; read the job for a current one.',
};

/** What a capability looks like: 32 bytes in base64url. */
const form = /^[\w-]{43}$/;

/**
 * `GET downloads/{capability}/{file_name}`: 303 to a fresh pre-signed address of the job's file, or of its manifest; 403,
 * always the same, when the capability is unknown, over or withdrawn, the export was deleted, or the file name is another.
 * An address that was opened already lives for `downloadSeconds` at most.
 *
 * Each opening of the file is in the audit log of the account before the address goes out, and fails when its entry cannot be
 * stored. Whoever holds the location may open it, so an entry has the address of the client and no user. The manifest holds
 * no data of people, and its openings are not logged.
 */
export const download = async (
  { table, exports, files, audit }: DownloadDeps,
  { path, now, requestId, sourceIp }: PublicRequest,
): Promise<Result<ApiAnswer, Problem>> => {
  const { capability = '', file_name } = path;
  const item = form.test(capability) ? await table.get(downloadKey(capability)) : undefined;
  if (!item) return err(closed);
  const grant = v.parse(downloadItem, item);
  if (grant.expires <= now) return err(closed);
  const [definition, job] = await Promise.all([
    exports.definition(grant.property, grant.export),
    exports.job(grant),
  ]);
  const file = job?.value.file;
  // A job whose location was withdrawn has a file that ended then.
  if (!definition || !file || file.expires <= now) return err(closed);
  const object = objectNamed(job.value, file_name);
  if (object === undefined || file_name === undefined) return err(closed);
  const seconds = Math.min(limits.exports.downloadSeconds, Math.ceil((grant.expires - now) / 1000));
  const url = await files.presignGet(object, { seconds, fileName: file_name });
  if (object === file.key)
    await audit.add(definition.value.account, {
      time: now,
      action: 'download',
      outcome: 'opened',
      request_id: requestId,
      property: grant.property,
      source: sourceIp,
      ids: { export_id: grant.export, job_id: grant.job },
    });
  return ok({ status: 303, headers: { location: url, 'referrer-policy': 'no-referrer' } });
};

/** Key of the object that a file name stands for. */
const objectNamed = (job: ExportJob, name: string | undefined): string | undefined => {
  if (name === job.file?.name) return job.file?.key;
  return name === manifestName(job) ? job.file?.manifest_key : undefined;
};
