import { limits } from '../../config/limits.ts';
import type { Tier } from '../../profiles/types.ts';
import { ObjectChangedError, type ObjectStore, type Queue } from '../../runtime/ports.ts';
import { forSeconds } from '../../runtime/time-budget.ts';
import { changeJob, type ChangeDeps } from '../model/change-job.ts';
import { chunkUuid } from '../model/batch-id.ts';
import { type RowChunk, RowChunker } from '../../csv/row-chunks.ts';
import { failFile, fileFailure } from '../jobs/fail-import.ts';
import { fileChanged, type StepAnswer } from './inspect-file.ts';
import type { SplitCursor, ImportJob, Layout, StoredObject } from '../model/import-job.ts';
import { batchMessageOf, type JobReference } from '../model/job-messages.ts';
import type { NewBatch } from '../model/job-items.ts';
import { canMove, moved } from '../model/transitions.ts';

export interface SplitDeps extends ChangeDeps {
  readonly uploads: Pick<ObjectStore, 'read'>;
  readonly work: Pick<ObjectStore, 'read'>;
  readonly batches: Queue;
  readonly clock: () => number;
}

/** `done: false`: the file is larger than one call cuts; call again. */
export interface SplitAnswer extends StepAnswer {
  readonly done: boolean;
}

/** Chunks that are written and queued together, once the first ones are on their way. */
const CHUNKS_AT_ONCE = 10;

/**
 * Second step of a file: cuts it into chunks of whole rows and queues them. The same file is always cut the same way into
 * batches of the same ids, so the step can be repeated from anywhere.
 */
export const splitFile = async (deps: SplitDeps, reference: JobReference): Promise<SplitAnswer> => {
  const job = await deps.imports.job(reference.property, reference.job);
  if (!job) throw new Error('import: the job is not there');
  if (!canMove(job, 'split')) return { status: job.phase === 'failed' ? 'failed' : 'ok', done: true };
  const { source, layout, arrived, tier } = job;
  const definition = await deps.imports.definitionOfJob(job);
  if (!source || !layout || arrived === null || tier === null || !definition)
    throw new Error('import: the file was not inspected');
  const cutting = {
    job,
    source,
    layout,
    accepted: arrived,
    skipAppends: definition.skip_appends,
    tier,
  };
  try {
    return await splitRows(deps, cutting);
  } catch (error) {
    if (!(error instanceof ObjectChangedError)) throw error;
    await failFile(deps, reference, fileChanged);
    return { status: 'failed', done: true };
  }
};

interface SplitContext {
  readonly job: ImportJob;
  readonly source: StoredObject;
  readonly layout: Layout;
  /** When the rows count as accepted, in epoch milliseconds. */
  readonly accepted: number;
  readonly skipAppends: boolean;
  readonly tier: Tier;
}

const splitRows = async (deps: SplitDeps, cutting: SplitContext): Promise<SplitAnswer> => {
  const { job, source, layout } = cutting;
  const from: SplitCursor = job.splitCursor ?? {
    offset: layout.offset,
    line: layout.line,
    rows: 0,
    chunks: 0,
  };
  const chunker = new RowChunker(layout.dialect, chunkLimits, { ...from, row: from.rows + 1 });
  const hasTime = forSeconds(deps.clock, limits.imports.splitSeconds);
  const sender = chunkSender(deps, cutting, from.chunks);
  for await (const bytes of readFrom(deps[source.bucket], source, from.offset)) {
    const last = await sender.add(chunker.push(bytes));
    if (last && !(await isWanted(deps, job))) return { status: 'ok', done: true };
    // Only a call that got further may stop: the chunk it stops at is cut again.
    if (last && last.chunks > from.chunks && !hasTime()) return pauseAt(deps, job, last);
  }
  const { chunks, openQuote, unterminated: cutOff = null } = chunker.finish();
  await sender.add(chunks);
  await sender.flush();
  if (openQuote) return failOpenQuote(deps, job, openQuote);
  await changeJob(deps, { property: job.property, job: job.id }, (seen) =>
    canMove(seen, 'split') ? { ...moved('split'), ended: deps.clock(), unterminated: cutOff } : undefined,
  );
  return { status: 'ok', done: true };
};

/** Whether the rest of the file is still to be cut: not when its job was cancelled meanwhile. */
const isWanted = async ({ imports }: SplitDeps, { property, id }: ImportJob): Promise<boolean> => {
  const job = await imports.job(property, id);
  return job !== undefined && canMove(job, 'split');
};

const chunkLimits = {
  rows: limits.imports.rowsPerChunk,
  bytes: limits.imports.chunkBytes,
  rowBytes: limits.imports.rowBytes,
};

/** The bytes from an offset on; nothing for a file that ends there, of which no range can be asked. */
const readFrom = (
  store: Pick<ObjectStore, 'read'>,
  { key, etag, size }: StoredObject,
  from: number,
): AsyncIterable<Uint8Array> | readonly Uint8Array[] => (from < size ? store.read(key, { etag, from }) : []);

/** Writes and queues chunks a few at a time, the very first ones at once. */
const chunkSender = ({ imports, batches }: SplitDeps, cutting: SplitContext, first: number) => {
  const { job } = cutting;
  let waiting: RowChunk[] = [];
  let sent = first;
  const flush = async (): Promise<SplitCursor | undefined> => {
    const made = waiting.map((chunk, index) => batchOf(cutting, sent + index, chunk));
    await imports.addBatches(job, made);
    await batches.send(made.map(({ uuid }) => batchMessageOf(job.property, job.id, uuid)));
    const last = waiting.at(-1);
    sent += waiting.length;
    waiting = [];
    // The last chunk's own start: what is behind it is known only with the next row, and it may be cut again.
    return last && { offset: last.start, line: last.line, rows: last.row - 1, chunks: sent - 1 };
  };
  return {
    flush,
    add: async (chunks: readonly RowChunk[]): Promise<SplitCursor | undefined> => {
      waiting.push(...chunks);
      return waiting.length >= Math.min(CHUNKS_AT_ONCE, sent + 1) ? flush() : undefined;
    },
  };
};

const batchOf = (
  { job, accepted, skipAppends, tier }: SplitContext,
  index: number,
  chunk: RowChunk,
): NewBatch => {
  const { start, end, row, line, rows, tooLarge } = chunk;
  return {
    uuid: chunkUuid(job.id, index),
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
  { property, id }: ImportJob,
  cut: SplitCursor,
): Promise<SplitAnswer> => {
  await changeJob(deps, { property, job: id }, (seen) =>
    canMove(seen, 'split') ? { splitCursor: cut } : undefined,
  );
  return { status: 'ok', done: false };
};

/** Everything behind an open quote is one cell without end: nobody can tell its rows, so the file has failed there. */
const failOpenQuote = async (
  deps: SplitDeps,
  { property, id }: ImportJob,
  { row, line }: { readonly row: number; readonly line: number },
): Promise<SplitAnswer> => {
  const message = `A quote opened in the row that starts on line ${line} is never closed; nothing from there on was read.`;
  await failFile(deps, { property, job: id }, fileFailure('open_quote', message, { row, line }));
  return { status: 'failed', done: true };
};
