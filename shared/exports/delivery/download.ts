/** Download: opens the location of a finished file, for everyone who holds the capability. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import type { AuditTrail } from '../../audit/audit-trail.ts';
import type { ApiAnswer, PublicRequest } from '../../http/api-types.ts';
import type { Problem } from '../../http/problem.ts';
import { isCapability } from '../../runtime/capability.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { Table } from '../../table/table.ts';
import { downloadItem, type ExportJob } from '../model/items.ts';
import { downloadKey } from '../model/location.ts';
import type { ExportRepository } from '../model/repository.ts';
import { manifestName } from '../model/file-names.ts';

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

/**
 * `GET downloads/{capability}/{file_name}`: 303 to a fresh pre-signed address of the job's file, or of its manifest.
 * The answer is the same 403 for a capability that is unknown, expired or withdrawn, for a deleted export, and for
 * another file name. An address that a client got before lives for `downloadSeconds` at most.
 *
 * The audit log of the account gets an entry for each opened file before the address goes out; if the entry cannot be
 * stored, the request fails. Everyone who holds the location may open it, so an entry has the address of the client and
 * no user. The manifest holds no data of people, so opening it is not logged.
 */
export const download = async (
  { table, exports, files, audit }: DownloadDeps,
  { path, now, requestId, sourceIp }: PublicRequest,
): Promise<Result<ApiAnswer, Problem>> => {
  const { capability = '', file_name } = path;
  const item = isCapability(capability) ? await table.get(downloadKey(capability)) : undefined;
  if (!item) return err(closed);
  const grant = v.parse(downloadItem, item);
  if (grant.expires <= now) return err(closed);
  const [definition, job] = await Promise.all([
    exports.definition(grant.property, grant.export),
    exports.job(grant),
  ]);
  const file = job?.value.file;
  // To withdraw a location is to end the time of its file.
  if (!definition || !file || file.expires <= now) return err(closed);
  const object = objectNamed(job.value, file_name);
  if (object === undefined || file_name === undefined) return err(closed);
  const seconds = Math.min(limits.exports.downloadSeconds, Math.ceil((grant.expires - now) / 1000));
  const url = await files.presignGet(object, { seconds, fileName: file_name });
  if (object === file.key) {
    await audit.add(definition.value.account, {
      time: now,
      action: 'download',
      outcome: 'opened',
      request_id: requestId,
      property: grant.property,
      source: sourceIp,
      ids: { export_id: grant.export, job_id: grant.job },
    });
  }
  return ok({ status: 303, headers: { location: url, 'referrer-policy': 'no-referrer' } });
};

/** Key of the object with a file name. */
const objectNamed = (job: ExportJob, name: string | undefined): string | undefined => {
  if (name === job.file?.name) return job.file?.key;
  return name === manifestName(job) ? job.file?.manifest_key : undefined;
};
