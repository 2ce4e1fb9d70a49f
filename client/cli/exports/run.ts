/** Runs exports to the end of their deliveries. */
import type { Tidemark } from '../../src/index.ts';
import type { Context } from '../context.ts';
import { exitCodes, type ExitCode } from '../failure.ts';
import { bytes, moment, plain } from '../terminal/text.ts';
import { type ExportJob, fetchFile, followExport } from './follow.ts';

/** Follows a run to its end and to the first attempt of each delivery, and downloads the file if that is wanted. */
export const finishRun = async (
  context: Context,
  client: Tidemark,
  {
    exportId,
    jobId,
    output,
  }: { readonly exportId: string; readonly jobId: string; readonly output?: string | undefined },
): Promise<ExitCode> => {
  const ended = await followExport(context, client, exportId, jobId);
  const size =
    output === undefined ? undefined : await fetchFile(context, client, ended.location ?? '', output);
  const job = await afterFirstAttempts(context, client, ended);
  if (output !== '-') {
    context.show(job, () => [
      ...(size === undefined ? [] : [`${plain(output ?? '')}: ${bytes(size)}`]),
      ...deliveryLines(job),
      ...(size === undefined && job.deliveries.length === 0
        ? [`Download the file: tidemark export download ${exportId}`]
        : []),
    ]);
  }
  return job.deliveries.some(({ last_error }) => last_error !== null) ? exitCodes.failed : exitCodes.ok;
};

const DELIVERY_POLL_MS = 1_000;

/** The job once each delivery has succeeded or had its first attempt. */
export const afterFirstAttempts = async (
  context: Context,
  client: Tidemark,
  ended: ExportJob,
): Promise<ExportJob> => {
  let job = ended;
  while (job.deliveries.some(({ state }) => state === 'waiting' || state === 'sending')) {
    await context.pause(DELIVERY_POLL_MS);
    const path = { export_id: job.export, job_id: job.id };
    job = await client.getExportJob({ path, signal: context.signal });
  }
  return job;
};

/** The deliveries of a job in words. */
export const deliveryLines = ({ deliveries }: ExportJob): readonly string[] =>
  deliveries.map(({ kind, state, last_error, next_attempt }) => {
    const error = last_error === null ? '' : `: ${plain(last_error)}`;
    const next =
      next_attempt === null || state === 'delivered' ? '' : ` (next attempt ${moment(next_attempt)})`;
    return `${state === 'delivered' ? '✓' : '✗'} ${kind} ${state}${error}${next}`;
  });
