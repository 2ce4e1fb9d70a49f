/** `listReport`: returns the reported rows of a job in pages or as a file, for `GET errors` and `GET warnings`. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import type { ApiAnswer, ApiRequest, UseCase } from '../../http/api-types.ts';
import { linkTo, type ListDeps, readCursor } from '../../http/listing.ts';
import { notFound } from '../../http/not-found.ts';
import type { Problem } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { jobInPath } from '../repository/find-in-path.ts';
import type { ReportKind } from '../items/object-keys.ts';
import type { ImportRepository } from '../repository/repository.ts';
import type { ReportQuery } from '../schemas/report-schemas.ts';
import { jobWarnings } from '../schemas/views.ts';
import {
  isLongerThan,
  readReports,
  type ReportedBatchRow,
  reportPosition,
  reportsOf,
} from './read-reports.ts';
import { reportCsv, reportHeader, type ReportStyle } from './report-csv.ts';
import {
  beginReportFile,
  continueReportFile,
  reportFile,
  type ReportFileDeps,
  reportFileName,
  type ReportFileRequest,
  type ReportFileStep,
} from './report-file.ts';
import { rowsGone } from './reported-row.ts';
import type { RowCode } from '../../http/row-codes.ts';
import { isBatchCancelled } from '../jobs/cancellation.ts';
import { type Batch, isBatchParked } from '../items/batch.ts';
import type { ImportJob } from '../items/import-job.ts';
import { type ListCells, sumListCells } from '../items/row-findings.ts';

export interface ReportDeps extends ListDeps, ReportFileDeps {
  readonly imports: ImportRepository;
}

/**
 * Returns a page of the report of a job, or redirects to the file of the whole report. 409 `rows_gone` when its rows are no
 * longer kept; of a job that took batches for long, the rows that are kept are listed.
 */
const listReport = async (
  deps: ReportDeps,
  request: ApiRequest<ReportQuery, unknown>,
  kind: ReportKind,
): Promise<Result<ApiAnswer, Problem>> => {
  const job = await jobInPath(deps.imports, request);
  if (!job) return err(notFound('importJob', request));
  const { query } = request;
  const list = `/v1/${job.property}/imports/${job.import}/jobs/${job.id}/${kind}`;
  const target = { property: job.property, list, query };
  const cursor = await readCursor(deps, target, reportCursor);
  if (!cursor.ok) return cursor;
  const from = cursor.value;
  const file = { job, kind, style: styleOf(query) };
  const redirect = async (write: () => Promise<ReportFileStep>): Promise<Result<ApiAnswer, Problem>> =>
    request.head === true ? ok(seeOther) : redirectTo(deps, target, await write());
  if (from && 'upload' in from) return redirect(() => continueReportFile(deps, file, from));
  const batches = await deps.imports.batches(job.property, job.id);
  const begin = () => beginReportFile(deps, file, reportsOf(batches, kind));
  const first = from === undefined;
  const isWhole = query.format === 'csv' && query.limit === undefined && first;
  if (isWhole && isLongerThan(limits.imports.reportedPerPage, batches, kind)) return redirect(begin);
  const page = await readReports(deps.work, batches, {
    kind,
    from,
    limits: { rows: query.limit ?? limits.imports.reportedPerPage, bytes: limits.http.pageBytes / 2 },
  });
  if (isWhole && page.next) return redirect(begin);
  const findings = first ? jobFindings[kind](job, batches) : [];
  if (page.isGone && page.rows.length + findings.length === 0) return err(rowsGone());
  const next_page = await linkTo(deps, { ...target, next: page.next });
  if (query.format === 'csv') return ok(csvAnswer(file, { rows: page.rows, first, next_page }));
  const entries = [...findings, ...page.rows.map((row) => rowView(job, row))];
  return ok({ status: 200, body: { [kind]: entries, paging: { next_page } } });
};

/** The style that a query requests: delimited by commas, without a byte order mark, unless the query says otherwise. */
const styleOf = ({ delimiter = 'comma', bom }: ReportQuery): ReportStyle => ({
  delimiter,
  bom: bom === 'true',
});

/** Cursor of a list: the position of the next page, or the progress of the file of the whole report. */
const reportCursor = v.union([reportFile, reportPosition]);

/** A redirect without a location: the answer to `HEAD`, because only the work for a `GET` determines the location. */
const seeOther = { status: 303, headers: { 'referrer-policy': 'no-referrer' } } as const;

/**
 * Redirects the client to the file, or back to this list when one request is too short to write the file; 409 `rows_gone`
 * when the rows are no longer kept.
 */
const redirectTo = async (
  deps: ReportDeps,
  target: Parameters<typeof linkTo>[1],
  step: ReportFileStep,
): Promise<Result<ApiAnswer, Problem>> => {
  if (step === 'gone') return err(rowsGone());
  const location = 'url' in step ? step.url : await linkTo(deps, { ...target, next: step.next });
  if (location === null) throw new Error('import: the next request of a report file has no address');
  return ok({ ...seeOther, headers: { ...seeOther.headers, location } });
};

interface CsvPage {
  readonly rows: readonly ReportedBatchRow[];
  readonly first: boolean;
  readonly next_page: string | null;
}

/** A refused or warned row as the API shows it. */
const rowView = (
  { file }: ImportJob,
  { row, line, batch, code, field, column, message, record }: ReportedBatchRow,
) => ({ row, line, batch_job_uuid: batch, file: file?.name ?? null, code, field, column, message, record });

const csvAnswer = (file: ReportFileRequest, { rows, first, next_page }: CsvPage): ApiAnswer => ({
  status: 200,
  body:
    (first ? reportHeader(file.job.layout, file.style) : '') + reportCsv(file.job.layout, rows, file.style),
  headers: {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${reportFileName(file)}"`,
    ...(next_page === null ? {} : { link: `<${next_page}>; rel="next"` }),
  },
});

/** Errors and warnings of a job as a whole, in the form of reported rows. */
const jobFindings = {
  errors: (job: ImportJob, batches: readonly Batch[]) =>
    [job.failure, ...unstoredRows(job, batches)].flatMap((failure) =>
      failure
        ? [{ ...failure, column: null, batch_job_uuid: null, file: job.file?.name ?? null, record: null }]
        : [],
    ),
  warnings: (job: ImportJob, batches: readonly Batch[]) =>
    jobWarnings(job, listsOf(batches), true).map((warning) => ({
      ...warning,
      batch_job_uuid: null,
      file: job.file?.name ?? null,
      record: null,
    })),
} as const;

const listsOf = (batches: readonly Batch[]): readonly ListCells[] =>
  batches.map(({ result }) => result?.lists ?? []).reduce(sumListCells, []);

/**
 * Rows that count as failed without an entry of their own, because their job was cancelled or undone, or because their
 * batches are parked.
 */
const unstoredRows = (job: ImportJob, batches: readonly Batch[]) => {
  const left = batches
    .filter(({ result }) => !result)
    .map((batch) => ({ batch, why: whyUnstored(job, batch) }));
  return unstoredCodes.flatMap((code) => {
    const rows = left.reduce((sum, { batch, why }) => sum + (why === code ? batch.records : 0), 0);
    return rows > 0 ? [{ code, message: messages[code](rows), field: null, row: null, line: null }] : [];
  });
};

const unstoredCodes = ['cancelled', 'undone', 'parked'] as const satisfies readonly RowCode[];

/** Why no worker stores the rows of a batch without a result; `undefined` while one may still store them. */
const whyUnstored = (job: ImportJob, batch: Batch): (typeof unstoredCodes)[number] | undefined => {
  if (isBatchCancelled(job, batch)) return 'cancelled';
  if (job.undo) return 'undone';
  return isBatchParked(batch) ? 'parked' : undefined;
};

const messages = {
  cancelled: (rows: number) => `The job was cancelled before ${rows} of its rows were stored.`,
  undone: (rows: number) => `The job was undone before ${rows} of its rows were stored.`,
  parked: (rows: number) =>
    `${rows} rows could not be stored for a reason on our side. They are kept, and stored once it is mended.`,
} as const;

/**
 * `GET errors`: returns the refused rows of a job in pages of JSON or CSV. The failure of the file as a whole comes
 * first. CSV without a limit is the whole list: a short list is in the answer itself, a long one is a file to which 303
 * redirects.
 */
export const listImportErrors: UseCase<ReportDeps, ReportQuery> = (deps, request) =>
  listReport(deps, request, 'errors');

/** `GET warnings`: returns the rows of a job that were stored with a warning, in the same forms as `GET errors`. */
export const listImportWarnings: UseCase<ReportDeps, ReportQuery> = (deps, request) =>
  listReport(deps, request, 'warnings');
