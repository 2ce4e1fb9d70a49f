/** Report file: writes a whole report as one CSV file over several requests, for the lists of errors and warnings. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { ObjectStore, PartUploads } from '../../runtime/ports.ts';
import type { ImportJob } from '../items/import-job.ts';
import { reportFileKeyOf, type ReportKind, reportWorkKeyOf } from '../items/object-keys.ts';
import { evenGroups, type Report, readObjects, reportedRows } from './read-reports.ts';
import { reportCsv, reportHeader, type ReportStyle } from './report-csv.ts';
import { parseRowRanges, printRowRanges } from './row-ranges.ts';

/**
 * Progress of the file of a report: its multipart upload, the number of parts, the number of reports of the plan that
 * have been read, and whether the text of the last reports waits in an object of its own for the rest of its part.
 */
export const reportFile = v.object({
  upload: v.string(),
  parts: v.number(),
  reports: v.number(),
  waiting: v.boolean(),
});
export type ReportFile = Readonly<v.InferOutput<typeof reportFile>>;

export interface ReportFileDeps {
  readonly work: Pick<ObjectStore, 'head' | 'get' | 'put' | 'presignGet'>;
  readonly workParts: Pick<PartUploads, 'begin' | 'put' | 'list' | 'complete'>;
  readonly clock: Clock;
}

/** The whole report of a job, in a style. */
export interface ReportFileRequest {
  readonly job: ImportJob;
  readonly kind: ReportKind;
  readonly style: ReportStyle;
}

/**
 * Outcome of a request: the address of the complete file, or the progress for the next request. `gone`: the rows, or what
 * earlier requests have written, are no longer kept.
 */
export type ReportFileStep = { readonly url: string } | { readonly next: ReportFile } | 'gone';

/** Size of a part in bytes. S3 requires at least 5 MiB for every part except the last. */
const PART_BYTES = 8 * 1024 * 1024;

/**
 * Begins the file of a whole report. The function stores the list of reports as a plan, so that all requests write the
 * same file, even if batches finish or rows are sent again in the meantime. The file leaves out the rows of reports that
 * are no longer kept. The newest report goes last, so without it nothing is left.
 */
export const beginReportFile = async (
  deps: ReportFileDeps,
  request: ReportFileRequest,
  reports: readonly Report[],
): Promise<ReportFileStep> => {
  const key = keyOf(request);
  const deadline = deadlineOf(deps);
  const newest = reports.at(-1);
  if (newest && !(await deps.work.head(newest.key))) return 'gone';
  const upload = await deps.workParts.begin(key, { checked: true });
  const entries = reports.map(({ retried, ...report }) => ({
    ...report,
    retried: retried.size === 0 ? null : printRowRanges([...retried]),
  }));
  await deps.work.put(reportWorkKeyOf(key, upload, 'plan'), JSON.stringify(entries));
  return writeParts(
    deps,
    { ...request, reports, deadline },
    { upload, parts: 0, reports: 0, waiting: false },
  );
};

/** Continues a file that an earlier request began. A repeated request writes the same bytes. */
export const continueReportFile = async (
  deps: ReportFileDeps,
  request: ReportFileRequest,
  begun: ReportFile,
): Promise<ReportFileStep> => {
  const deadline = deadlineOf(deps);
  const text = await readText(deps, reportWorkKeyOf(keyOf(request), begun.upload, 'plan'));
  if (text === undefined) return 'gone';
  const reports = v
    .parse(plan, JSON.parse(text))
    .map(({ retried, ...entry }) => ({ ...entry, retried: parseRetried(retried) }));
  return writeParts(deps, { ...request, reports, deadline }, begun);
};

/** The file name of the download. */
export const reportFileName = ({ job, kind }: Pick<ReportFileRequest, 'job' | 'kind'>): string =>
  `import-${job.id}-${kind}.csv`;

const plan = v.array(
  v.object({ uuid: v.string(), accepted: v.number(), key: v.string(), retried: v.nullable(v.string()) }),
);

const parseRetried = (rows: string | null): ReadonlySet<number> =>
  rows === null ? new Set() : parseRowRanges(rows);

const keyOf = ({ job, kind, style }: ReportFileRequest): string =>
  reportFileKeyOf(kind, job, `${style.delimiter}${style.bom ? '-bom' : ''}`);

const deadlineOf = ({ clock }: ReportFileDeps): number => clock() + limits.imports.reportFileSeconds * 1000;

interface ReportFileWork extends ReportFileRequest {
  readonly reports: readonly Report[];
  readonly deadline: number;
}

/**
 * Writes parts until the file is complete or the time of the request is up. Each request reads at least one report, so
 * it makes progress. Parts end at the end of a report, and so does the text that waits. The plan and the name of an
 * object therefore determine its content. Memory holds one part and a few reports, for a list of any length.
 */
const writeParts = async (
  deps: ReportFileDeps,
  work: ReportFileWork,
  begun: ReportFile,
): Promise<ReportFileStep> => {
  const { job, reports, style, deadline } = work;
  const key = keyOf(work);
  const { upload } = begun;
  let state = begun;
  const beginning = await beginningOf(deps, work, begun);
  if (beginning === undefined) return 'gone';
  let text = beginning;
  let bytes = Buffer.byteLength(text);
  const left = evenGroups(reports.slice(begun.reports));
  for await (const { report, bytes: object } of readObjects(deps.work, left)) {
    const added = object ? reportCsv(job.layout, reportedRows(report, object), style) : '';
    text += added;
    bytes += Buffer.byteLength(added);
    state = { ...state, reports: state.reports + 1 };
    const isLast = state.reports === reports.length;
    if (isLast || bytes >= PART_BYTES) {
      const part = state.parts + 1;
      const body = Buffer.from(text);
      // The upload is gone when a repeated request has completed it. Then the file exists.
      if (!(await deps.workParts.put(key, { upload, part, body }))) return addressOf(deps, work);
      state = { ...state, parts: part };
      text = '';
      bytes = 0;
    }
    if (isLast || deps.clock() <= deadline) continue;
    const waiting = text !== '';
    if (waiting) await deps.work.put(waitingKeyOf(key, state), text);
    return { next: { ...state, waiting } };
  }
  const parts = await deps.workParts.list(key, upload);
  if (parts) await deps.workParts.complete(key, upload, parts);
  return addressOf(deps, work);
};

/** The beginning of the present part: the header, or the text that an earlier request stored. */
const beginningOf = async (
  deps: ReportFileDeps,
  request: ReportFileRequest,
  begun: ReportFile,
): Promise<string | undefined> => {
  if (begun.reports === 0) return reportHeader(request.job.layout, request.style);
  return begun.waiting ? readText(deps, waitingKeyOf(keyOf(request), begun)) : '';
};

const waitingKeyOf = (key: string, { upload, parts, reports }: ReportFile): string =>
  reportWorkKeyOf(key, upload, `${parts}-${reports}`);

const addressOf = async ({ work }: ReportFileDeps, request: ReportFileRequest): Promise<ReportFileStep> => {
  const options = { seconds: limits.exports.downloadSeconds, fileName: reportFileName(request) };
  return { url: await work.presignGet(keyOf(request), options) };
};

const readText = async ({ work }: ReportFileDeps, key: string): Promise<string | undefined> => {
  const bytes = await work.get(key);
  return bytes && Buffer.from(bytes).toString('utf8');
};
