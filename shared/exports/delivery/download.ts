/** Download: opens the location of a finished file, for everyone who holds the capability. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import type { AuditTrail } from '../../audit/audit-trail.ts';
import type { PublicUseCase } from '../../http/api-types.ts';
import type { Problem } from '../../http/problem.ts';
import { countInWindow } from '../../rates/count-in-window.ts';
import { isCapability } from '../../runtime/capability.ts';
import { DAY_MS } from '../../runtime/clock.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { rateKeys } from '../../table/request-keys.ts';
import type { Table } from '../../table/table.ts';
import { downloadItem, type ExportJob } from '../model/items.ts';
import { downloadKey } from '../model/location.ts';
import type { ExportRepository } from '../model/repository.ts';
import { downloadName, manifestName } from '../model/file-names.ts';
import { membersForgotten, type ForgottenDeps } from '../parts/forgotten-members.ts';

export interface DownloadDeps extends ForgottenDeps {
  readonly audit: Pick<AuditTrail, 'add'>;
  readonly table: Table;
  readonly exports: ExportRepository;
  readonly files: ObjectStore;
  /** The table of rates. */
  readonly rates: Pick<Table, 'increment'>;
}

const closed: Problem = {
  status: 403,
  code: 'location_closed',
  detail: 'This location does not open a file, or no longer does; read the job for a current one.',
};

const forgotten: Problem = { status: 403, code: 'members_forgotten', detail: membersForgotten };

/**
 * `GET downloads/{capability}/{file_name}`: 303 to a fresh pre-signed address of the job's file, or of its manifest.
 * The answer is the same 403 for a capability that is unknown, expired or withdrawn, for a deleted export, and for
 * another file name. It is 403 `members_forgotten` once somebody in the file was forgotten; the manifest still opens,
 * because it holds no data of people. An address that a client got before lives for `downloadSeconds` at most. It is 429
 * `rate_limited` when the file was opened `opensPerDay` times in a UTC day, or the files of the property with
 * `downloadBytesPerDay`.
 *
 * The audit log of the account gets an entry for each opened file before the address goes out; if the entry cannot be
 * stored, the request fails. Everyone who holds the location may open it, so an entry has the address of the client and
 * no user. The manifest holds no data of people, so opening it is not logged.
 */
export const download: PublicUseCase<DownloadDeps> = async (
  { table, exports, files, audit, rates, hasForgotten },
  { path, now, requestId, sourceIp },
) => {
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
  const isFile = object === file.key;
  if (isFile && (await hasForgotten(job.value))) return err(forgotten);
  const admitted = await admitOpen(rates, grant, { bytes: isFile ? file.bytes : 0, now });
  if (!admitted.ok) return admitted;
  const seconds = Math.min(limits.exports.downloadSeconds, Math.ceil((grant.expires - now) / 1000));
  const fileName = downloadName(job.value, definition.value, file_name);
  const url = await files.presignGet(object, { seconds, fileName });
  if (isFile) {
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

/** Counts an open of a file and its bytes; 429 when those of this day are used up. */
const admitOpen = async (
  rates: DownloadDeps['rates'],
  { job, property }: { readonly job: number; readonly property: number },
  { bytes, now }: { readonly bytes: number; readonly now: number },
): Promise<Result<undefined, Problem>> => {
  const day = { milliseconds: DAY_MS, now };
  const open = { ...day, key: (window: number) => rateKeys.opens(job, window), amount: 1 };
  const opened = await countInWindow(rates, open, limits.exports.opensPerDay);
  if (!opened.ok || bytes === 0) return opened;
  const load = { ...day, key: (window: number) => rateKeys.downloadedBytes(property, window), amount: bytes };
  return countInWindow(rates, load, limits.exports.downloadBytesPerDay);
};

/** Key of the object with a file name. */
const objectNamed = (job: ExportJob, name: string | undefined): string | undefined => {
  if (name === job.file?.name) return job.file?.key;
  return name === manifestName(job) ? job.file?.manifest_key : undefined;
};
