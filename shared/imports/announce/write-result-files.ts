/** Write result files: puts the outcome of an import beside its file in the SFTP directory. */
import { limits } from '../../config/limits.ts';
import { type AttemptOutcome, permanentFailure } from '../../deliveries/delivery-state.ts';
import { batchesOf } from '../../runtime/pool.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { resultNames } from '../../sftp/result-names.ts';
import type { ImportRepository } from '../repository/repository.ts';
import { READS_AT_ONCE, type Report, readObjects, reportedRows, reportsOf } from '../reports/read-reports.ts';
import { reportCsv, reportHeader, type ReportStyle } from '../reports/report-csv.ts';
import type { EndedImport } from './import-notices.ts';

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
    if ((await deps.imports.claimResultFiles(job, key)) === 'superseded') throw new SupersededError();
  };
  const reports = reportsOf(await deps.imports.batches(job.property, job.id), 'errors');
  const list = new RefusedList(deps, ended, reports);
  try {
    await claim();
    if (reports.length === 0) await deps.uploads.remove(names.refused);
    else await putList(deps, names.refused, chunksUntil(list.chunks(), claim));
  } catch (error) {
    if (error instanceof SupersededError) return superseded;
    if (error instanceof RowsGoneError) return permanentFailure('The refused rows are no longer kept.');
    throw error;
  }
  const result = { ...view, refused_rows: list.rows, refused_rows_complete: list.isComplete };
  await deps.uploads.put(names.result, `${JSON.stringify(result, null, 2)}\n`, {
    contentType: 'application/json',
  });
  return { kind: 'delivered' };
};

/** A later file has the name. */
class SupersededError extends Error {
  override readonly name = 'SupersededError';
}

/** The list of refused rows would lack rows that are no longer kept. */
class RowsGoneError extends Error {
  override readonly name = 'RowsGoneError';
}

const putList = ({ uploads }: ResultDeps, key: string, chunks: AsyncIterable<Uint8Array>): Promise<unknown> =>
  uploads.putStream(key, chunks, { contentType: 'text/csv; charset=utf-8' });

/** The chunks, and then a last look, which may throw: no object appears before its stream has ended. */
async function* chunksUntil(
  chunks: AsyncIterable<Uint8Array>,
  look: () => Promise<void>,
): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
  await look();
}

const superseded = permanentFailure(
  'A newer file has the same name; the result of this older file was not written.',
);

/** The list of refused rows, in chunks. A few reports are in memory at a time. */
class RefusedList {
  rows = 0;
  isComplete = true;
  readonly #deps: ResultDeps;
  readonly #ended: EndedImport;
  readonly #reports: readonly Report[];

  constructor(deps: ResultDeps, ended: EndedImport, reports: readonly Report[]) {
    this.#deps = deps;
    this.#ended = ended;
    this.#reports = reports;
  }

  async *chunks(): AsyncGenerator<Uint8Array, void> {
    const { layout } = this.#ended.job;
    const style: ReportStyle = { delimiter: layout?.dialect.delimiter ?? 'comma', bom: true };
    let bytes = 0;
    yield Buffer.from(reportHeader(layout, style));
    for (const group of batchesOf(this.#reports, READS_AT_ONCE)) {
      for (const { report, bytes: object } of await readObjects(this.#deps.work, group)) {
        if (bytes > limits.imports.resultFileBytes) {
          this.isComplete = false;
          return;
        }
        if (!object) throw new RowsGoneError();
        const rows = reportedRows(report, object);
        const chunk = Buffer.from(reportCsv(layout, rows, style));
        this.rows += rows.length;
        bytes += chunk.length;
        yield chunk;
      }
    }
  }
}
