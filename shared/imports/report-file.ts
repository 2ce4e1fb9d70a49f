import * as v from 'valibot';
import { limits } from '../../lib/config/limits.ts';
import type { ObjectStore, PartUploads } from '../runtime/ports.ts';
import type { Batch, ImportJob } from './job.ts';
import { reportFileKeyOf, type ReportKind } from './object-keys.ts';
import { type ReportPosition, readReports, reportPosition } from './reports.ts';
import { reportCsv } from './reports-csv.ts';

/** How far the file of a report is: its upload in parts, how many of them there are, and where the next one begins. */
export const reportFile = v.object({
  upload: v.string(),
  parts: v.number(),
  from: v.nullable(reportPosition),
});
export type ReportFile = Readonly<v.InferOutput<typeof reportFile>>;

export interface ReportFileDeps {
  readonly work: Pick<ObjectStore, 'get' | 'presignGet'>;
  readonly workParts: Pick<PartUploads, 'begin' | 'put' | 'list' | 'complete'>;
  readonly clock: () => number;
}

/** The report of which job and kind, and its batches. */
export interface WantedReport {
  readonly job: ImportJob;
  readonly kind: ReportKind;
  readonly batches: readonly Batch[];
}

/** Bytes of a part: S3 takes none under 5 MiB but the last. */
const PART_BYTES = 8 * 1024 * 1024;

/**
 * Goes on with the file of a whole report until it is there, or for as long as one request has. Answers the address that
 * the file is downloaded from, or how far it is. Memory holds a part and the reports of one batch, whatever the length of the
 * list. The same work done twice makes the same file.
 */
export const writeReportFile = async (
  deps: ReportFileDeps,
  wanted: WantedReport,
  begun: ReportFile | undefined,
): Promise<{ readonly url: string } | { readonly further: ReportFile }> => {
  const { property, id } = wanted.job;
  const key = reportFileKeyOf(wanted.kind, property, id);
  const deadline = deps.clock() + limits.imports.reportFileSeconds * 1000;
  let state: ReportFile = begun ?? { upload: await deps.workParts.begin(key), parts: 0, from: null };
  for (let isLast = false; !isLast;) {
    if (state.parts > (begun?.parts ?? 0) && deps.clock() > deadline) return { further: state };
    const { csv, next } = await readPart(deps, wanted, state);
    await deps.workParts.put(key, { upload: state.upload, part: state.parts + 1, body: Buffer.from(csv) });
    state = { ...state, parts: state.parts + 1, from: next ?? null };
    isLast = next === undefined;
  }
  // Gone where a repeated request has completed it: then the file is there.
  const parts = await deps.workParts.list(key, state.upload);
  if (parts) await deps.workParts.complete(key, state.upload, parts);
  const options = { seconds: limits.exports.downloadSeconds, fileName: reportFileName(wanted) };
  return { url: await deps.work.presignGet(key, options) };
};

/** The name that a list of a job is downloaded under. */
export const reportFileName = ({ job, kind }: Pick<WantedReport, 'job' | 'kind'>): string =>
  `import-${job.id}-${kind}.csv`;

/** The text of the next part, and where the one behind it begins; nothing is behind the last one. */
const readPart = async (
  { work }: ReportFileDeps,
  { job, kind, batches }: WantedReport,
  { from: start, parts }: ReportFile,
): Promise<{ readonly csv: string; readonly next: ReportPosition | undefined }> => {
  const texts: string[] = [];
  let bytes = 0;
  let from = start ?? undefined;
  do {
    const page = { rows: Number.MAX_SAFE_INTEGER, bytes: PART_BYTES };
    const { rows, next } = await readReports(work, batches, { kind, from, limits: page });
    const text = reportCsv(job.layout, rows, parts === 0 && texts.length === 0);
    texts.push(text);
    bytes += Buffer.byteLength(text);
    from = next;
  } while (from && bytes < PART_BYTES);
  return { csv: texts.join(''), next: from };
};
