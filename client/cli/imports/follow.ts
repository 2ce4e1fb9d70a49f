/** Uploads files and follows jobs, with bars. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Answer } from '../../src/index.ts';
import type { Connected, Context } from '../context.ts';
import { CommandFailure, exitCodes } from '../failure.ts';
import { csvRows } from '../../src/csv-rows.ts';
import { rejectNames, writeNew } from '../files/names.ts';
import { onProblem } from '../problems.ts';
import { type KnownJob, rememberJob } from '../session/jobs.ts';
import { bytes, duration, plain } from '../terminal/text.ts';
import { batchesIn } from './batches.ts';
import { byFrequency, endText, jobProgress, reasonColumns, refusedOf, warningLines } from './report.ts';

/** An import job with its counts and its reasons. */
export type ImportJob = Answer<'getImportJob'>;

/** A file on its way into an import definition. */
export interface Sending {
  readonly importId: number;
  readonly path: string;
  readonly dryRun: boolean;
}

/**
 * Uploads a file and returns its job. Ctrl-C cancels the job, because a job without its file would wait for ever.
 */
export const upload = async (context: Connected, { importId, path, dryRun }: Sending): Promise<KnownJob> => {
  const { client, baseUrl, propertyId } = context;
  const { size } = await stat(path);
  const bar = context.bar(dryRun ? 'Upload to try it' : 'Upload');
  let started: number | undefined;
  try {
    const { jobId } = await client.uploadFile({
      importId,
      file: path,
      fileName: basename(path),
      dryRun,
      onJob: (id) => (started = id),
      onProgress: ({ sent }) =>
        bar.update({ share: size === 0 ? 1 : sent / size, text: `${bytes(sent)} of ${bytes(size)}` }),
    });
    bar.done(bytes(size));
    const job = { baseUrl, property: propertyId, importId, jobId, batches: [] };
    await rememberJob(context.jobsFile, job);
    return job;
  } catch (error) {
    if (!context.signal.aborted || started === undefined) throw error;
    await client.cancelImportJob({ path: { import_id: importId, job_id: started }, signal: undefined });
    throw new CommandFailure('The upload was interrupted, and nothing was imported.', exitCodes.interrupted);
  }
};

/**
 * Follows a job to its end with a bar. `stored` is the number of rows that an earlier run stored. Ctrl-C leaves the job
 * running, and says how to watch it again.
 */
export const follow = async (
  context: Connected,
  { importId, jobId }: Pick<KnownJob, 'importId' | 'jobId'>,
  {
    title,
    expected = 0,
    stored = 0,
  }: { readonly title: string; readonly expected?: number; readonly stored?: number },
): Promise<ImportJob> => {
  const { now } = context.surroundings;
  const bar = context.bar(title);
  const started = now();
  try {
    const job = await context.client.waitForImport({
      importId,
      jobId,
      onProgress: (seen) => bar.update(jobProgress(seen, expected, now() - started)),
    });
    const time = duration(now() - started);
    bar.done(job.dry_run ? time : `${endText(job, stored)} (${time})`);
    return job;
  } catch (error) {
    if (!context.signal.aborted) throw error;
    throw new CommandFailure(
      `Job ${jobId} goes on without you; watch it again: tidemark watch ${jobId}`,
      exitCodes.interrupted,
    );
  }
};

/** Shows why rows were refused or warned. The job has the reasons, so this costs no request. */
export const tellReasons = (
  context: Context,
  { refused_by: refused, warned_by: warned }: Pick<ImportJob, 'refused_by' | 'warned_by'>,
): void => {
  if (refused.length > 0) {
    context.note('', 'Refused rows:');
    context.noteTable(reasonColumns, byFrequency(refused));
  }
  if (warned.length > 0) {
    context.note('', 'Stored without a cell, or with another remark:');
    context.noteTable(reasonColumns, byFrequency(warned));
    context.note(...warningLines(warned));
  }
};

/** Batches of a job that are remembered. */
const BATCHES = 250;

/** Rows of a list that come with one request. */
const PAGE_ROWS = 1_000;

/** A job with refused rows, and the file that it read. */
interface Refused {
  readonly job: ImportJob;
  readonly file: string;
}

/**
 * Writes the refused rows of a job beside the file, if there are some and the token may see them. Returns the path of the
 * list, or `null` without one.
 */
export const writeRejects = async (
  context: Connected,
  known: KnownJob,
  refused: Refused,
): Promise<string | null> => {
  if (refusedOf(refused.job.counts) === 0) return null;
  return onProblem(writeList(context, known, refused), (problem) => {
    if (problem.code !== 'not_permitted') throw problem;
    context.note(`The refused rows are not written to a file. ${plain(problem.detail)}`);
    return null;
  });
};

/** Writes the list in the delimiter of the file and with a byte order mark, so that a spreadsheet opens it. */
const writeList = async (context: Connected, known: KnownJob, { job, file }: Refused): Promise<string> => {
  const { importId, jobId } = known;
  const texts: string[] = [];
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const response = await context.client.response('listImportErrors', {
      path: { import_id: importId, job_id: jobId },
      query: {
        format: 'csv',
        delimiter: job.dialect?.delimiter ?? 'comma',
        limit: PAGE_ROWS,
        ...(cursor === undefined ? {} : { cursor }),
      },
    });
    const text = await response.text();
    texts.push(first ? text : csvRows(text).slice(1).join(''));
    cursor = nextCursor(response.headers.get('link'));
  }
  const list = texts.join('');
  const batches = [...new Set([...batchesIn(list), ...known.batches])].slice(0, BATCHES);
  await rememberJob(context.jobsFile, { ...known, batches });
  return writeNew(rejectNames(file), Buffer.from(`\ufeff${list}`));
};

/** The cursor in the link to the next page. */
const nextCursor = (link: string | null): string | undefined => {
  const next = link?.split(',').find((part) => part.includes('rel="next"')) ?? '';
  const address = next.slice(next.indexOf('<') + 1, next.indexOf('>'));
  if (address === '') return undefined;
  return new URL(address, 'http://localhost').searchParams.get('cursor') ?? undefined;
};
