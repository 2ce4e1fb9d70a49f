import { limits } from '../../lib/config/limits.ts';
import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import { problems, type Problem } from '../http/problem.ts';
import type { ObjectStore } from '../runtime/ports.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { errorsCsv } from './errors-csv.ts';
import type { ImportJob } from './job.ts';
import { jobOf } from './jobs-api.ts';
import { linkTo, type ListDeps, readCursor } from './listing.ts';
import { type Refused, readRefused, refusedPosition } from './refused-rows.ts';
import type { ImportRepository } from './repository.ts';
import type { ErrorsQuery } from './schemas.ts';

export interface ErrorsDeps extends ListDeps {
  readonly imports: ImportRepository;
  readonly work: Pick<ObjectStore, 'get'>;
}

/** `GET errors`: the refused rows of a job, in pages of JSON or CSV; first what is wrong with its file as a whole. */
export const listImportErrors = async (
  deps: ErrorsDeps,
  request: ApiRequest<ErrorsQuery, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const job = await jobOf(deps.imports, request);
  if (!job) return err(problems.notFound());
  const { query } = request;
  const list = `/v1/${job.property}/imports/${job.import}/jobs/${job.id}/errors`;
  const asked = { property: job.property, list, query };
  const from = await readCursor(deps, asked, refusedPosition);
  if (!from.ok) return from;
  const batches = await deps.imports.batches(job.property, job.id);
  const rows = query.limit ?? limits.imports.errorsPerPage;
  const page = await readRefused(deps.work, batches, {
    from: from.value,
    limits: { rows, bytes: limits.http.pageBytes / 2 },
  });
  const next_page = await linkTo(deps, { ...asked, next: page.next });
  const first = from.value === undefined;
  if (query.format === 'csv') return ok(csvAnswer(job, page.rows, { first, next_page }));
  const errors = [...(first ? fileErrors(job) : []), ...page.rows.map((row) => errorOf(job, row))];
  return ok({ status: 200, body: { errors, paging: { next_page } } });
};

const errorOf = ({ file }: ImportJob, { row, line, batch, code, field, message, record }: Refused) => ({
  row,
  line,
  batch_job_uuid: batch,
  file: file?.name ?? null,
  code,
  field,
  message,
  record,
});

/** What is wrong with the file as a whole, in the form of a row. */
const fileErrors = ({ failure, file }: ImportJob) =>
  failure ? [{ ...failure, batch_job_uuid: null, file: file?.name ?? null, record: null }] : [];

const csvAnswer = (
  job: ImportJob,
  rows: readonly Refused[],
  { first, next_page }: { readonly first: boolean; readonly next_page: string | null },
): ApiAnswer => ({
  status: 200,
  body: errorsCsv(job.layout, rows, first),
  headers: {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="import-${job.id}-errors.csv"`,
    ...(next_page === null ? {} : { link: `<${next_page}>; rel="next"` }),
  },
});
