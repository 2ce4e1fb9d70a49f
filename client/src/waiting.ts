/** Waits for jobs and segments by asking for them again and again. */
import type { Operations } from './generated/operations.ts';
import type { Ports, WorkOptions } from './ports.ts';
import { isOutage } from './transport.ts';
import type { Answer } from './types.ts';

interface Wait<Job> extends WorkOptions {
  /** Is called with the job or the segment each time the client has asked for it. */
  readonly onProgress?: ((job: Job) => void) | undefined;
  /** Ends the wait, not the work of the service. `AbortSignal.timeout(600_000)` waits ten minutes at most. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Which job of an import to wait for.
 * @public
 */
export interface ImportWait extends Wait<Answer<'getImportJob'>> {
  readonly importId: number;
  readonly jobId: number;
}

/**
 * Which job of an export to wait for.
 * @public
 */
export interface ExportWait extends Wait<Answer<'getExportJob'>> {
  readonly exportId: number | string;
  /** Without it, the newest job of the export. */
  readonly jobId?: number | string | undefined;
}

/**
 * Which segment to wait for.
 * @public
 */
export interface SegmentWait extends Wait<Answer<'getSegment'>> {
  readonly segmentId: number;
}

type WaitPorts = Pick<Ports, 'sleep' | 'now'>;

/** Waits until a job of an import has ended: until `finished` has a time. */
export const waitForImport = (
  api: Pick<Operations, 'getImportJob'>,
  ports: WaitPorts,
  wait: ImportWait,
): Promise<Answer<'getImportJob'>> =>
  ended(
    ports,
    wait,
    ({ counts, finished }) => (finished === null ? shareOf(counts) : 'ended'),
    () => api.getImportJob({ path: { import_id: wait.importId, job_id: wait.jobId } }),
  );

/** Waits until a job of an export has ended: until `finished` has a time. */
export const waitForExport = async (
  api: Pick<Operations, 'getExportJob' | 'listExportJobs'>,
  ports: WaitPorts,
  wait: ExportWait,
): Promise<Answer<'getExportJob'>> => {
  const { exportId } = wait;
  const jobId = wait.jobId ?? (await newestJob(api, exportId));
  return ended(
    ports,
    wait,
    ({ progress, finished }) => (finished === null ? progress : 'ended'),
    () => api.getExportJob({ path: { export_id: exportId, job_id: jobId } }),
  );
};

/** Waits until a segment has a count: at once, unless it is a condition that the service still prepares. */
export const waitForSegment = (
  api: Pick<Operations, 'getSegment'>,
  ports: WaitPorts,
  wait: SegmentWait,
): Promise<Answer<'getSegment'>> =>
  ended(
    ports,
    wait,
    ({ ready, progress }) => (ready === false ? (progress ?? 0) : 'ended'),
    () => api.getSegment({ path: { segment_id: wait.segmentId } }),
  );

const newestJob = async (
  api: Pick<Operations, 'listExportJobs'>,
  exportId: number | string,
): Promise<string> => {
  const { jobs } = await api.listExportJobs({
    path: { export_id: exportId },
    query: { order: 'newest', limit: 1 },
  });
  const [newest] = jobs;
  if (!newest) throw new Error(`Export ${exportId} has no job yet.`);
  return newest.id;
};

/** The share of a job that is done, as far as its counts show it. */
const shareOf = ({ ingested, processing }: Answer<'getImportJob'>['counts']): number =>
  ingested === 0 ? 0 : 1 - processing / ingested;

/** Questions in a row without an answer: each has attempts of its own, so together they last for about a minute. */
const FAILED_QUESTIONS = 10;

/** Pauses between two questions, in milliseconds. A small export is done in a quarter of a second. */
const PAUSE_MS = { least: 100, most: 2_000 };

/**
 * Asks until the job has ended: until `shareOrEnd` returns no share any more. A pause is a third of the estimated remaining time, so that questions about a long job
 * are rare and its end is noticed soon. A short outage, such as that of a laptop that wakes up, does not end the wait.
 */
const ended = async <Job>(
  { sleep, now }: WaitPorts,
  { onProgress, signal }: Wait<Job>,
  shareOrEnd: (job: Job) => number | 'ended',
  ask: () => Promise<Job>,
): Promise<Job> => {
  const started = now();
  for (let failed = 0; ;) {
    let pause = PAUSE_MS.most;
    const job = await ask().catch((error: unknown) => {
      failed += 1;
      if (!isOutage(error) || failed === FAILED_QUESTIONS) throw error;
      return undefined;
    });
    if (job) {
      failed = 0;
      onProgress?.(job);
      const share = shareOrEnd(job);
      if (share === 'ended') return job;
      pause = pauseAfter(share, now() - started);
    }
    await sleep(pause, signal);
  }
};

const pauseAfter = (share: number, elapsed: number): number => {
  const pause = share <= 0 ? elapsed / 10 : (elapsed * (1 - share)) / share / 3;
  return Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, pause));
};
