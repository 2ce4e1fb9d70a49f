/** Write result files: puts the outcome of an import beside its file in the SFTP directory. */
import { limits } from '../../config/limits.ts';
import { type AttemptOutcome, permanentFailure } from '../../deliveries/delivery-state.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { resultNames } from '../../sftp/result-names.ts';
import type { Layout } from '../items/import-job.ts';
import type { ImportRepository } from '../repository/repository.ts';
import { evenGroups, type Report, readObjects, reportedRows, reportsOf } from '../reports/read-reports.ts';
import { reportCsv, reportHeader, type ReportStyle } from '../reports/report-csv.ts';
import type { EndedImport } from './ended-import.ts';

export interface ResultDeps {
  readonly imports: ImportRepository;
  readonly uploads: Pick<ObjectStore, 'put' | 'putStream' | 'remove'>;
  readonly work: Pick<ObjectStore, 'get'>;
}

/**
 * Writes `<name>.refused.csv`, if rows were refused, and then `<name>.result.json`: who finds the second file finds the
 * first one complete. Both replace the files of an earlier import under the same name. The list has the delimiter of the
 * imported file and a byte order mark, and ends after `limits.imports.resultFileBytes`; `refused_rows_complete` says
 * whether it has all rows. A late announcement writes nothing once that of a later file of the name has begun.
 */
export const writeResultFiles = async (deps: ResultDeps, ended: EndedImport): Promise<AttemptOutcome> => {
  const { job, view } = ended;
  const key = job.file?.object?.key;
  if (key === undefined) throw new Error('import: result files of a job without a file');
  const names = resultNames(key);
  const claim = async (): Promise<void> => {
    if ((await deps.imports.claimResultFiles(job, key)) === 'superseded')
      throw new NotWrittenError(superseded);
  };
  const reports = reportsOf(await deps.imports.batches(job.property, job.id), 'errors');
  const list = { rows: 0, isComplete: true };
  try {
    await claim();
    if (reports.length === 0) {
      await deps.uploads.remove(names.refused);
    } else {
      const chunks = listInChunks(deps, job.layout, reports, list);
      await deps.uploads.putStream(names.refused, chunksUntil(chunks, claim), {
        contentType: 'text/csv; charset=utf-8',
      });
    }
  } catch (error) {
    if (error instanceof NotWrittenError) return error.outcome;
    throw error;
  }
  const result = { ...view, refused_rows: list.rows, refused_rows_complete: list.isComplete };
  await deps.uploads.put(names.result, `${JSON.stringify(result, null, 2)}\n`, {
    contentType: 'application/json',
  });
  return { kind: 'delivered' };
};

/** No list is written. */
class NotWrittenError extends Error {
  override readonly name = 'NotWrittenError';
  readonly outcome: AttemptOutcome;

  constructor(outcome: AttemptOutcome) {
    super('import: a list of refused rows is not written');
    this.outcome = outcome;
  }
}

const superseded = permanentFailure(
  'A newer file has the same name; the result of this older file was not written.',
);
const gone = permanentFailure('The refused rows are no longer kept.');

/** The chunks, and then a last look, which may throw: no object appears before its stream has ended. */
async function* chunksUntil(
  chunks: AsyncIterable<Uint8Array>,
  look: () => Promise<void>,
): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
  await look();
}

/** The list of refused rows, in chunks, which `list` counts. A few reports are in memory at a time. */
async function* listInChunks(
  { work }: ResultDeps,
  layout: Layout | null,
  reports: readonly Report[],
  list: { rows: number; isComplete: boolean },
): AsyncGenerator<Uint8Array, void> {
  const style: ReportStyle = { delimiter: layout?.dialect.delimiter ?? 'comma', bom: true };
  let bytes = 0;
  yield Buffer.from(reportHeader(layout, style));
  for await (const { report, bytes: object } of readObjects(work, evenGroups(reports))) {
    list.isComplete = bytes <= limits.imports.resultFileBytes;
    if (!list.isComplete) return;
    if (!object) throw new NotWrittenError(gone);
    const rows = reportedRows(report, object);
    const chunk = Buffer.from(reportCsv(layout, rows, style));
    list.rows += rows.length;
    bytes += chunk.length;
    yield chunk;
  }
}
