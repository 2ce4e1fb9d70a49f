/** Follows the jobs of exports, and fetches their files. */
import { createWriteStream } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Answer, Tidemark } from '../../src/index.ts';
import type { Connected, Context } from '../context.ts';
import { CommandFailure, exitCodes, usageFailure } from '../failure.ts';
import { requireNew } from '../files/user-files.ts';
import { onProblem } from '../problems.ts';
import { paintWith } from '../terminal/paint.ts';
import { type Column, tableOf } from '../terminal/table.ts';
import { bytes, counted, duration, moment, plain } from '../terminal/text.ts';
import { destinationOf, type Export } from './describe.ts';

/** A job of an export. */
export type ExportJob = Answer<'getExportJob'>;

/** The export that a name or an id means. Throws a failure if there is none, or if several have the name. */
export const findExport = async (context: Connected, text: string): Promise<Export> => {
  if (/^[1-9]\d{9,15}$/.test(text)) return context.client.getExport({ path: { export_id: text } });
  const found: Export[] = [];
  for await (const one of context.client.listExports())
    if (one.name?.toLowerCase() === text.toLowerCase()) found.push(one);
  const [only, ...others] = found;
  if (only === undefined)
    throw new CommandFailure(`There is no export "${plain(text)}". See the exports: tidemark export list`);
  if (others.length > 0) {
    throw usageFailure(
      `Several exports have the name "${plain(text)}"; take an id.`,
      await tableOfExports(context.client, found),
    );
  }
  return only;
};

/** Exports whose newest run is asked for, one request each. A failure shows no more lines. */
const COMPARED = 9;

/** A small table that tells exports apart. */
const tableOfExports = async (client: Tidemark, exports: readonly Export[]): Promise<readonly string[]> => {
  const lastRun = async ({ id }: Export): Promise<string> => {
    const query = { order: 'newest', limit: 1 } as const;
    const { jobs } = await client.listExportJobs({ path: { export_id: id }, query });
    const [newest] = jobs;
    return newest === undefined ? 'never' : `${moment(newest.created)}, ${newest.status}`;
  };
  const runs = await Promise.all(exports.slice(0, COMPARED).map(lastRun));
  const columns: readonly Column<Export & { readonly run: string }>[] = [
    { heading: 'Id', cell: ({ id }) => id },
    { heading: 'Name', cell: ({ name }) => name ?? '' },
    { heading: 'Last run', cell: ({ run }) => run },
    { heading: 'To', cell: destinationOf },
  ];
  const rows = exports.map((one, index) => ({ ...one, run: runs[index] ?? '' }));
  return tableOf(columns, rows, paintWith(false));
};

/** Follows a job to its end with a bar. Throws a failure when the job fails, and when the user presses Ctrl-C. */
export const followExport = async (
  context: Connected,
  exportId: string,
  jobId: string,
): Promise<ExportJob> => {
  const { now } = context.surroundings;
  const bar = context.bar('Export');
  const started = now();
  try {
    const job = await context.client.waitForExport({
      exportId,
      jobId,
      onProgress: ({ progress, status }) => bar.update({ share: progress, text: status }),
    });
    if (job.status !== 'complete') {
      throw new CommandFailure(
        `The export ${job.status === 'cancelled' ? 'was cancelled' : 'failed'}${reasonOf(job)}.`,
      );
    }
    const time = duration(now() - started);
    // A file without rows is no success to most people, and the reason follows.
    if (job.rows === 0) context.note(`Export  0 rows (${time})`);
    else bar.done(`${counted(job.rows ?? 0, 'row')}, ${bytes(job.bytes ?? 0)} (${time})`);
    return job;
  } catch (error) {
    if (!context.signal.aborted) throw error;
    throw new CommandFailure(
      `The export goes on without you; look at it again: tidemark export log ${exportId}`,
      exitCodes.interrupted,
    );
  }
};

const reasonOf = ({ error }: ExportJob): string => (error === null ? '' : `: ${plain(error.detail)}`);

/** The newest job of an export. Throws a failure if it never ran. */
export const newestJob = async (context: Connected, exportId: string): Promise<string> => {
  const path = { export_id: exportId };
  const { jobs } = await context.client.listExportJobs({
    path,
    query: { order: 'newest', limit: 1 },
  });
  return requireNewest(jobs, exportId).id;
};

/** The first of the jobs of an export, the newest. Throws a failure if it never ran. */
export const requireNewest = <Job>([newest]: readonly Job[], exportId: string): Job => {
  if (newest === undefined)
    throw new CommandFailure(`This export has not run yet; run it: tidemark export run ${exportId}`);
  return newest;
};

/** Throws a usage failure unless `fetchFile` can write to `output`. */
export const requireOutput = async (context: Context, output: string): Promise<void> => {
  if (output !== '-') await requireNew(context.path(output));
};

/** Fetches a file. `-` is standard output. It never replaces a file, and a file under its name is whole. */
export const fetchFile = async (context: Connected, location: string, output: string): Promise<number> => {
  await requireOutput(context, output);
  const { body } = await openLocation(context, location);
  if (body === null) throw new CommandFailure('The file is empty.');
  let size = 0;
  const count = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      size += chunk.length;
      yield chunk;
    }
  };
  const source = Readable.from(count(Readable.fromWeb(body)));
  if (output === '-') {
    await pipeline(source, context.surroundings.stdout, { end: false });
    return size;
  }
  const path = context.path(output);
  const temporary = `${path}.${process.pid}.part`;
  try {
    await pipeline(source, createWriteStream(temporary, { flags: 'wx', mode: 0o600 }), {});
    await link(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
  return size;
};

const openLocation = ({ client }: Connected, location: string): Promise<Response> =>
  onProblem(client.openLocation(location), (problem) => {
    if (problem.status !== 403) throw problem;
    if (problem.code === 'members_forgotten') throw new CommandFailure(problem.detail);
    throw new CommandFailure(
      'The location of the file is closed: after 7 days, or because it was withdrawn.',
    );
  });

/** The name of the file of a job, for a download without a name. */
export const fileNameOf = ({
  file_name: name,
  location,
}: Pick<ExportJob, 'file_name' | 'location'>): string =>
  plain(basename(name ?? new URL(location ?? 'http://localhost/export').pathname));
