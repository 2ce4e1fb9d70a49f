/** `splitFile`: splits a file into batches of rows and queues them, as the second step of its workflow. */
import { limits } from '../../config/limits.ts';
import { ObjectChangedError, type ObjectStore, type Queue } from '../../runtime/ports.ts';
import { forSeconds, type HasTime } from '../../runtime/time-budget.ts';
import { changeJob, existingJob, type ChangeDeps } from '../repository/change-job.ts';
import { chunkUuid } from '../items/batch.ts';
import { type RowChunk, RowChunker } from '../../csv/row-chunks.ts';
import { fileFailure } from '../jobs/fail-import.ts';
import { failStep, fileChanged, type StepAnswer } from './inspect-file.ts';
import type { FileFailure, SplitCursor, ImportJob, StoredObject } from '../items/import-job.ts';
import { batchMessageOf, type JobReference } from '../items/job-messages.ts';
import type { NewBatch } from '../repository/stored-items.ts';
import { canMove, moved } from '../items/transitions.ts';
import { finishDryRun } from '../dry-run/finish-dry-run.ts';
import { judgeFile, type JudgeDeps, type JudgedFile } from '../guards/judge-file.ts';
import { readVersion, type VersionStore } from '../rows/read-rows.ts';

export interface SplitDeps extends ChangeDeps, JudgeDeps {
  readonly work: VersionStore & Pick<ObjectStore, 'get' | 'put'>;
  readonly batches: Queue;
}

/** Number of chunks that are written and queued together, after the first ones. */
const CHUNKS_AT_ONCE = 10;

/**
 * Second step of a file: judges all rows by the guards of the definition, then splits the file into chunks of whole rows
 * and queues them as batches. A file always splits into the same batches with the same ids, so the step can be repeated
 * from any point.
 */
export const splitFile = async (deps: SplitDeps, reference: JobReference): Promise<StepAnswer> => {
  const job = await existingJob(deps.imports, reference.property, reference.job);
  const answer = await judgeAndSplit(deps, reference, job);
  // The last worker may have stored its result before all rows were in batches.
  if (job.dryRun && answer.done) await finishDryRun(deps, reference);
  return answer;
};

const judgeAndSplit = async (
  deps: SplitDeps,
  reference: JobReference,
  job: ImportJob,
): Promise<StepAnswer> => {
  if (!canMove(job, 'split')) return { status: job.phase === 'failed' ? 'failed' : 'ok', done: true };
  const { source, layout, arrived, tier } = job;
  const definition = await deps.imports.definitionOfJob(job);
  if (!source || !layout || arrived === null || tier === null || !definition)
    throw new Error('import: the file was not inspected');
  const context = {
    job,
    definition,
    source,
    layout,
    accepted: arrived,
    skipAppends: definition.skip_appends,
    tier,
  };
  try {
    const hasTime = forSeconds(deps.clock, limits.imports.splitSeconds);
    const judgement = await judgeFile(deps, context, hasTime);
    if (judgement === 'paused') return { status: 'ok', done: false };
    if (judgement === 'passed') return await splitRows(deps, context, reference, hasTime);
    return await failStep(deps, reference, judgement);
  } catch (error) {
    if (!(error instanceof ObjectChangedError)) throw error;
    return failStep(deps, reference, fileChanged);
  }
};

const splitRows = async (
  deps: SplitDeps,
  context: JudgedFile,
  reference: JobReference,
  hasTime: HasTime,
): Promise<StepAnswer> => {
  const { job, source, layout } = context;
  const from: SplitCursor = job.splitCursor ?? {
    offset: layout.offset,
    line: layout.line,
    rows: 0,
    chunks: 0,
  };
  const chunker = new RowChunker(layout.dialect, chunkLimits, { ...from, row: from.rows + 1 });
  const sender = chunkSender(deps, context, from.chunks);
  for await (const bytes of readFrom(deps[source.bucket], source, from.offset)) {
    const whole = chunker.push(bytes);
    if (isTooLong(job, whole)) return failStep(deps, reference, tooManyRows);
    const last = await sender.add(whole);
    if (last && !(await isWanted(deps, job))) return { status: 'ok', done: true };
    // A call may only pause after progress, because the next call repeats the chunk at which this call pauses.
    if (last && last.chunks > from.chunks && !hasTime()) return pauseAt(deps, reference, last);
  }
  const { chunks, openQuote, unterminated = null } = chunker.finish();
  if (isTooLong(job, chunks)) return failStep(deps, reference, tooManyRows);
  await sender.add(chunks);
  await sender.flush();
  if (openQuote) return failStep(deps, reference, neverClosed(openQuote));
  await changeJob(deps, reference, (seen) =>
    canMove(seen, 'split') ? { ...moved('split'), ended: deps.clock(), unterminated } : undefined,
  );
  return { status: 'ok', done: true };
};

/** Whether to continue: `false` when the job was cancelled in the meantime. */
const isWanted = async ({ imports }: SplitDeps, { property, id }: ImportJob): Promise<boolean> => {
  const job = await imports.job(property, id);
  return job !== undefined && canMove(job, 'split');
};

const chunkLimits = {
  rows: limits.imports.rowsPerChunk,
  bytes: limits.imports.chunkBytes,
  rowBytes: limits.imports.rowBytes,
};

/** The bytes from an offset on. A file that ends at the offset has no valid range to request. */
const readFrom = (
  store: VersionStore,
  object: StoredObject,
  from: number,
): AsyncIterable<Uint8Array> | readonly Uint8Array[] =>
  from < object.size ? readVersion(store, object, { from }) : [];

/** Stores and queues chunks in groups. The first groups are small, so that workers start early. */
const chunkSender = ({ imports, batches }: SplitDeps, context: JudgedFile, first: number) => {
  const { job } = context;
  let pending: RowChunk[] = [];
  let sent = first;
  const flush = async (): Promise<SplitCursor | undefined> => {
    const added = pending.map((chunk, index) => batchOf(context, sent + index, chunk));
    await imports.addBatches(job, added);
    await batches.send(added.map(({ uuid }) => batchMessageOf(job.property, job.id, uuid)));
    const last = pending.at(-1);
    sent += pending.length;
    pending = [];
    // The cursor is at the start of the last chunk: only the next row determines its end, and it may be split again.
    return last && { offset: last.start, line: last.line, rows: last.row - 1, chunks: sent - 1 };
  };
  return {
    flush,
    add: async (chunks: readonly RowChunk[]): Promise<SplitCursor | undefined> => {
      pending.push(...chunks);
      return pending.length >= Math.min(CHUNKS_AT_ONCE, sent + 1) ? flush() : undefined;
    },
  };
};

const batchOf = (
  { job, accepted, skipAppends, tier }: JudgedFile,
  index: number,
  chunk: RowChunk,
): NewBatch => {
  const { start, end, row, line, rows, tooLarge } = chunk;
  return {
    uuid: chunkUuid(job.id, index),
    slot: index,
    name: job.name,
    accepted,
    records: rows,
    skipAppends,
    tier,
    source: { kind: 'rows', start, end, row, line, tooLarge },
  };
};

const pauseAt = async (
  deps: SplitDeps,
  reference: JobReference,
  splitCursor: SplitCursor,
): Promise<StepAnswer> => {
  await changeJob(deps, reference, (seen) => (canMove(seen, 'split') ? { splitCursor } : undefined));
  return { status: 'ok', done: false };
};

/** Whether a dry run has more rows up to these chunks than its result can add up. */
const isTooLong = ({ dryRun }: ImportJob, chunks: readonly RowChunk[]): boolean =>
  dryRun && chunks.some(({ row, rows }) => row + rows - 1 > limits.imports.dryRunRows);

const tooManyRows = fileFailure(
  'too_many_rows',
  `A dry run takes ${limits.imports.dryRunRows} rows. Upload a part of the file.`,
);

const neverClosed = ({ row, line }: { readonly row: number; readonly line: number }): FileFailure =>
  fileFailure(
    'open_quote',
    `A quote opened in the row that starts on line ${line} is never closed. No row from there on was read.`,
    { row, line },
  );
