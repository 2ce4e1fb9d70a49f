import { limits } from '../../lib/config/limits.ts';
import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import { linkTo, type ListDeps, readCursor } from '../http/listing.ts';
import { problems, type Problem } from '../http/problem.ts';
import type { ObjectStore } from '../runtime/ports.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { jobWarningsOf } from './answers.ts';
import { fileFailure } from './fail-file.ts';
import type { Batch, FileFailure, ImportJob } from './job.ts';
import { jobOf } from './jobs-api.ts';
import type { ReportKind } from './object-keys.ts';
import { isCancelled, isParked } from './progress.ts';
import { readReports, type Reported, reportPosition } from './reports.ts';
import { reportCsv } from './reports-csv.ts';
import type { ImportRepository } from './repository.ts';
import type { ReportQuery } from './schemas.ts';

export interface ReportDeps extends ListDeps {
  readonly imports: ImportRepository;
  readonly work: Pick<ObjectStore, 'get'>;
}
type Request = ApiRequest<ReportQuery, unknown>;
type Answer = Promise<Result<ApiAnswer, Problem>>;

/** `GET errors`: the refused rows of a job, in pages of JSON or CSV; first what is wrong with its file as a whole. */
export const listImportErrors = (deps: ReportDeps, request: Request): Answer =>
  listReport(deps, request, 'errors');

/** `GET warnings`: the rows of a job that were taken with a warning, in pages of JSON or CSV. */
export const listImportWarnings = (deps: ReportDeps, request: Request): Answer =>
  listReport(deps, request, 'warnings');

const listReport = async (deps: ReportDeps, request: Request, kind: ReportKind): Answer => {
  const job = await jobOf(deps.imports, request);
  if (!job) return err(problems.notFound());
  const { query } = request;
  const list = `/v1/${job.property}/imports/${job.import}/jobs/${job.id}/${kind}`;
  const asked = { property: job.property, list, query };
  const from = await readCursor(deps, asked, reportPosition);
  if (!from.ok) return from;
  const batches = await deps.imports.batches(job.property, job.id);
  const page = await readReports(deps.work, batches, {
    kind,
    from: from.value,
    limits: { rows: query.limit ?? limits.imports.reportedPerPage, bytes: limits.http.pageBytes / 2 },
  });
  const next_page = await linkTo(deps, { ...asked, next: page.next });
  const first = from.value === undefined;
  if (query.format === 'csv') return ok(csvAnswer(job, kind, { rows: page.rows, first, next_page }));
  const ofJob = first ? entriesOfJob[kind](job, batches) : [];
  const entries = [...ofJob, ...page.rows.map((row) => entryOf(job, row))];
  return ok({ status: 200, body: { [kind]: entries, paging: { next_page } } });
};

const entryOf = ({ file }: ImportJob, { row, line, batch, code, field, message, record }: Reported) => ({
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
    jobWarningsOf(job).map((warning) => ({
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
  const cancelled = rowsOf(left.filter((batch) => isCancelled(job, batch)));
  const parked = rowsOf(left.filter((batch) => isParked(batch) && !isCancelled(job, batch)));
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
  readonly rows: readonly Reported[];
  readonly first: boolean;
  readonly next_page: string | null;
}

const csvAnswer = (job: ImportJob, kind: ReportKind, { rows, first, next_page }: CsvPage): ApiAnswer => ({
  status: 200,
  body: reportCsv(job.layout, rows, first),
  headers: {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="import-${job.id}-${kind}.csv"`,
    ...(next_page === null ? {} : { link: `<${next_page}>; rel="next"` }),
  },
});
