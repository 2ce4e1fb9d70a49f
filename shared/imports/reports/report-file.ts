import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { batchesOf } from '../../runtime/pool.ts';
import type { ObjectStore, PartUploads } from '../../runtime/ports.ts';
import type { ImportJob } from '../model/import-job.ts';
import { reportFileKeyOf, type ReportKind, reportWorkKeyOf } from '../model/object-keys.ts';
import { READS_AT_ONCE, type Report, readObjects, reportedRows } from './read-reports.ts';
import { reportCsv } from './report-csv.ts';
import { parseRowRanges, printRowRanges } from '../model/row-ranges.ts';

/**
 * How far the file of a report is: its upload in parts, how many parts there are, how many reports of its plan have been
 * read, and whether the last of these reports wait in an object of their own for the rest of their part.
 */
export const reportFile = v.object({
  upload: v.string(),
  parts: v.number(),
  reports: v.number(),
  waiting: v.boolean(),
});
export type ReportFile = Readonly<v.InferOutput<typeof reportFile>>;

export interface ReportFileDeps {
  readonly work: Pick<ObjectStore, 'get' | 'put' | 'presignGet'>;
  readonly workParts: Pick<PartUploads, 'begin' | 'put' | 'list' | 'complete'>;
  readonly clock: () => number;
}

/** The whole list of a job. */
export interface ReportFileRequest {
  readonly job: ImportJob;
  readonly kind: ReportKind;
}

/** Where a file leads: to its address, or to the next request that goes on with it. */
export type ReportFileStep = { readonly url: string } | { readonly next: ReportFile };

/** Bytes of a part: S3 takes none under 5 MiB but the last. */
const PART_BYTES = 8 * 1024 * 1024;

/**
 * Begins the file of a whole list. The reports that it is made of are kept as its plan, so that all of its requests write
 * the same file, whatever batches finish and whatever rows are sent again in the meantime.
 */
export const beginReportFile = async (
  deps: ReportFileDeps,
  wanted: ReportFileRequest,
  reports: readonly Report[],
): Promise<ReportFileStep> => {
  const key = keyOf(wanted);
  const deadline = deadlineOf(deps);
  const upload = await deps.workParts.begin(key);
  const entries = reports.map(({ retried, ...report }) => ({
    ...report,
    retried: retried.size === 0 ? null : printRowRanges([...retried]),
  }));
  await deps.work.put(reportWorkKeyOf(key, upload, 'plan'), JSON.stringify(entries));
  return writeParts(deps, { ...wanted, reports, deadline }, { upload, parts: 0, reports: 0, waiting: false });
};

/** Goes on with a file that an earlier request began. The same request made twice writes the same. */
export const continueReportFile = async (
  deps: ReportFileDeps,
  wanted: ReportFileRequest,
  begun: ReportFile,
): Promise<ReportFileStep> => {
  const deadline = deadlineOf(deps);
  const text = await readText(deps, reportWorkKeyOf(keyOf(wanted), begun.upload, 'plan'));
  const reports = v
    .parse(plan, JSON.parse(text))
    .map(({ retried, ...entry }) => ({ ...entry, retried: parseRetried(retried) }));
  return writeParts(deps, { ...wanted, reports, deadline }, begun);
};

/** The name that a list of a job is downloaded under. */
export const reportFileName = ({ job, kind }: ReportFileRequest): string => `import-${job.id}-${kind}.csv`;

const plan = v.array(
  v.object({ uuid: v.string(), accepted: v.number(), key: v.string(), retried: v.nullable(v.string()) }),
);

const parseRetried = (rows: string | null): ReadonlySet<number> =>
  rows === null ? new Set() : parseRowRanges(rows);

const keyOf = ({ job, kind }: ReportFileRequest): string => reportFileKeyOf(kind, job.property, job.id);

const deadlineOf = ({ clock }: ReportFileDeps): number => clock() + limits.imports.reportFileSeconds * 1000;

interface Writing extends ReportFileRequest {
  readonly reports: readonly Report[];
  readonly deadline: number;
}

/**
 * Writes parts until the file is there, or until the request's time is up; a request reads one report at least, so each gets
 * further. Parts end where a report ends, and so does the text that waits: what an object holds follows from the plan and the
 * object's name. Memory holds a part and a few reports, whatever the length of the list.
 */
const writeParts = async (
  deps: ReportFileDeps,
  writing: Writing,
  begun: ReportFile,
): Promise<ReportFileStep> => {
  const { job, reports, deadline } = writing;
  const key = keyOf(writing);
  const { upload } = begun;
  let state = begun;
  let text = await beginningOf(deps, writing, begun);
  let bytes = Buffer.byteLength(text);
  for (const group of batchesOf(reports.slice(begun.reports), READS_AT_ONCE)) {
    const objects = await readObjects(deps.work, group);
    for (const { report, bytes: object } of objects) {
      const added = reportCsv(job.layout, reportedRows(report, object), false);
      text += added;
      bytes += Buffer.byteLength(added);
      state = { ...state, reports: state.reports + 1 };
      const isLast = state.reports === reports.length;
      if (isLast || bytes >= PART_BYTES) {
        const part = state.parts + 1;
        const body = Buffer.from(text);
        // Gone where a repeated request has completed it: then the file is there.
        if (!(await deps.workParts.put(key, { upload, part, body }))) return addressOf(deps, writing);
        state = { ...state, parts: part };
        text = '';
        bytes = 0;
      }
      if (isLast || deps.clock() <= deadline) continue;
      const waiting = text !== '';
      if (waiting) await deps.work.put(waitingKeyOf(key, state), text);
      return { next: { ...state, waiting } };
    }
  }
  const parts = await deps.workParts.list(key, upload);
  if (parts) await deps.workParts.complete(key, upload, parts);
  return addressOf(deps, writing);
};

/** The text that the part being written begins with: the header, or what an earlier request left for it. */
const beginningOf = async (
  deps: ReportFileDeps,
  wanted: ReportFileRequest,
  begun: ReportFile,
): Promise<string> => {
  if (begun.reports === 0) return reportCsv(wanted.job.layout, [], true);
  return begun.waiting ? readText(deps, waitingKeyOf(keyOf(wanted), begun)) : '';
};

const waitingKeyOf = (key: string, { upload, parts, reports }: ReportFile): string =>
  reportWorkKeyOf(key, upload, `${parts}-${reports}`);

const addressOf = async ({ work }: ReportFileDeps, wanted: ReportFileRequest): Promise<ReportFileStep> => {
  const options = { seconds: limits.exports.downloadSeconds, fileName: reportFileName(wanted) };
  return { url: await work.presignGet(keyOf(wanted), options) };
};

const readText = async ({ work }: ReportFileDeps, key: string): Promise<string> => {
  const bytes = await work.get(key);
  if (!bytes) throw new Error('import: what a download left for its next request is not there');
  return Buffer.from(bytes).toString('utf8');
};
