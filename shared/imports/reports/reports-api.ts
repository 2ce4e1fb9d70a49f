import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { linkTo, type ListDeps, readCursor } from '../../http/listing.ts';
import { problems, type Problem } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { jobWarnings } from '../model/answers.ts';
import { fileFailure } from '../jobs/fail-file.ts';
import type { Batch, FileFailure, ImportJob } from '../model/job.ts';
import { jobOf } from '../jobs/jobs-api.ts';
import type { ReportKind } from '../model/object-keys.ts';
import {
  beginReportFile,
  continueReportFile,
  reportFile,
  type ReportFileDeps,
  reportFileName,
} from './report-file.ts';
import { isBatchCancelled, isBatchParked } from '../jobs/progress.ts';
import { isLongerThan, readReports, type ReportedBatchRow, reportPosition, reportsOf } from './reports.ts';
import { reportCsv } from './reports-csv.ts';
import type { ImportRepository } from '../model/repository.ts';
import type { ReportQuery } from '../model/schemas.ts';

export interface ReportDeps extends ListDeps, ReportFileDeps {
  readonly imports: ImportRepository;
}
type Request = ApiRequest<ReportQuery, unknown>;
type Answer = Promise<Result<ApiAnswer, Problem>>;

/**
 * `GET errors`: the refused rows of a job, in pages of JSON or CSV; first what is wrong with its file as a whole. CSV without
 * a limit is the whole list: a short one is the answer itself, a longer one is a file that 303 leads to.
 */
export const listImportErrors = (deps: ReportDeps, request: Request): Answer =>
  listReport(deps, request, 'errors');

/** `GET warnings`: the rows of a job that were taken with a warning, in the same forms. */
export const listImportWarnings = (deps: ReportDeps, request: Request): Answer =>
  listReport(deps, request, 'warnings');

const listReport = async (deps: ReportDeps, request: Request, kind: ReportKind): Answer => {
  const job = await jobOf(deps.imports, request);
  if (!job) return err(problems.notFound());
  const { query } = request;
  const list = `/v1/${job.property}/imports/${job.import}/jobs/${job.id}/${kind}`;
  const asked = { property: job.property, list, query };
  const from = await readCursor(deps, asked, place);
  if (!from.ok) return from;
  const seeFile = (write: () => ReturnType<typeof continueReportFile>): Answer =>
    request.head === true ? Promise.resolve(ok(elsewhere)) : redirect(deps, asked, write);
  const begun = from.value;
  if (begun && 'upload' in begun) return seeFile(() => continueReportFile(deps, { job, kind }, begun));
  const batches = await deps.imports.batches(job.property, job.id);
  const begin = () => beginReportFile(deps, { job, kind }, reportsOf(batches, kind));
  const isWhole = query.format === 'csv' && query.limit === undefined && begun === undefined;
  if (isWhole && isLongerThan(limits.imports.reportedPerPage, batches, kind)) return seeFile(begin);
  const page = await readReports(deps.work, batches, {
    kind,
    from: begun,
    limits: { rows: query.limit ?? limits.imports.reportedPerPage, bytes: limits.http.pageBytes / 2 },
  });
  if (isWhole && page.next) return seeFile(begin);
  const next_page = await linkTo(deps, { ...asked, next: page.next });
  const first = begun === undefined;
  if (query.format === 'csv') return ok(csvAnswer(job, kind, { rows: page.rows, first, next_page }));
  const ofJob = first ? entriesOfJob[kind](job, batches) : [];
  const entries = [...ofJob, ...page.rows.map((row) => entryOf(job, row))];
  return ok({ status: 200, body: { [kind]: entries, paging: { next_page } } });
};

/** Where a page starts, or how far the file of the whole list is. */
const place = v.union([reportFile, reportPosition]);

/** The head of the answer that leads to a file. `HEAD` gets it without a location, which only the work for a GET tells. */
const elsewhere = { status: 303, headers: { 'referrer-policy': 'no-referrer' } } as const;

/** Sends the client on: to the file, or here again when one request is too short to write it. */
const redirect = async (
  deps: ReportDeps,
  asked: Parameters<typeof linkTo>[1],
  write: () => ReturnType<typeof continueReportFile>,
): Answer => {
  const written = await write();
  const location = 'url' in written ? written.url : await linkTo(deps, { ...asked, next: written.next });
  if (location === null) throw new Error('import: a list has no next address');
  return ok({ ...elsewhere, headers: { ...elsewhere.headers, location } });
};

const entryOf = (
  { file }: ImportJob,
  { row, line, batch, code, field, message, record }: ReportedBatchRow,
) => ({
  row,
  line,
  batch_job_uuid: batch,
  file: file?.name ?? null,
  code,
  field,
  message,
  record,
});

/** What is said of the job as a whole, in the form of rows. */
const entriesOfJob = {
  errors: (job: ImportJob, batches: readonly Batch[]) => jobErrors(job, batches),
  warnings: (job: ImportJob) =>
    jobWarnings(job).map((warning) => ({
      ...warning,
      batch_job_uuid: null,
      file: job.file?.name ?? null,
      field: null,
      record: null,
    })),
} as const;

/** What is wrong with the job as a whole, in the form of a row. */
const jobErrors = (job: ImportJob, batches: readonly Batch[]) =>
  [job.failure, ...unstored(job, batches)].flatMap((failure) =>
    failure ? [{ ...failure, batch_job_uuid: null, file: job.file?.name ?? null, record: null }] : [],
  );

/** Rows that count as failed with no word of each: their job was cancelled, or their batches are parked. */
const unstored = (job: ImportJob, batches: readonly Batch[]): readonly FileFailure[] => {
  const left = batches.filter(({ result }) => !result);
  const cancelled = rowsOf(left.filter((batch) => isBatchCancelled(job, batch)));
  const parked = rowsOf(left.filter((batch) => isBatchParked(batch) && !isBatchCancelled(job, batch)));
  return [
    ...(cancelled > 0 ? [fileFailure('cancelled', cancelledRows(cancelled))] : []),
    ...(parked > 0 ? [fileFailure('parked', parkedRows(parked))] : []),
  ];
};

const rowsOf = (batches: readonly Batch[]): number => batches.reduce((sum, { records }) => sum + records, 0);
const cancelledRows = (rows: number): string =>
  `The job was cancelled before ${rows} of its rows were stored.`;
const parkedRows = (rows: number): string =>
  `${rows} rows could not be stored for a reason on our side. They are kept, and stored once it is mended.`;

interface CsvPage {
  readonly rows: readonly ReportedBatchRow[];
  readonly first: boolean;
  readonly next_page: string | null;
}

const csvAnswer = (job: ImportJob, kind: ReportKind, { rows, first, next_page }: CsvPage): ApiAnswer => ({
  status: 200,
  body: reportCsv(job.layout, rows, first),
  headers: {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${reportFileName({ job, kind })}"`,
    ...(next_page === null ? {} : { link: `<${next_page}>; rel="next"` }),
  },
});
