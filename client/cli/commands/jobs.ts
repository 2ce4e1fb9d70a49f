/** The commands `retry`, `jobs`, `watch` and `undo`. */
import type { Command } from 'commander';
import { onProblem, unlessMissing } from '../problems.ts';
import type { Connected, Context } from '../context.ts';
import { CommandFailure, exitCodes, type ExitCode, usageFailure } from '../failure.ts';
import { csvPieces } from '../../src/csv-rows.ts';
import { readFilled } from '../files/user-files.ts';
import { batchesIn } from '../imports/batches.ts';
import { readList } from '../imports/corrected-list.ts';
import { follow, type ImportJob, tellReasons, writeRejects } from '../imports/follow.ts';
import { exitCodeOf, refusedOf } from '../imports/report.ts';
import { type Act, onProperty, wholeNumber } from '../actions.ts';
import { type KnownJob, readJobs } from '../session/jobs.ts';
import { count, counted, plain, quoted } from '../terminal/text.ts';
import { endLines } from './import.ts';

/** Adds the commands. */
export const addJobs = (program: Command, act: Act): void => {
  program
    .command('retry')
    .description('send refused rows again after you have corrected them')
    .argument('<file>', 'the list of refused rows, as "tidemark import" wrote it and a spreadsheet saved it')
    .option('--job <id>', 'the job of the rows (default: the job that the rows name)', wholeNumber)
    .option('--encoding <name>', 'the encoding of the list, if the service does not find it')
    .addHelpText('after', retryHelp)
    .action(act(retry));
  program
    .command('watch')
    .description('follow an import job to its end')
    .argument('<job>', 'the id of the job', wholeNumber)
    .action(act(onProperty(watch)));
  program
    .command('undo')
    .description('take an import back: remove its values, unless newer values have replaced them')
    .argument('<job>', 'the id of the job', wholeNumber)
    .option('-y, --yes', 'undo without a question')
    .action(act(onProperty(undo)));
};

const retryHelp = `
Correct the cells in a spreadsheet or an editor, and save the file as CSV. Keep the header and the
last columns, which say where a row came from. You may leave rows out. A row that the service stores
once is not stored twice.

Rows that are refused again, and rows that you left out, are written to a new list.`;

/** Bounds of one request: 5,000 rows, and less than the 2,900,000 bytes of a body. */
const PIECE = { rows: 5_000, bytes: 2_800_000 };

const retry = async (
  context: Context,
  file: string,
  options: { readonly job?: number; readonly encoding?: string },
): Promise<ExitCode | undefined> => {
  const path = context.path(file);
  const bytes = await readFilled(path);
  const { text, encoding } = await readList(context, { file, bytes, named: options.encoding });
  const pieces = csvPieces(text, PIECE);
  if (pieces.length === 0) throw usageFailure(`${file} has no rows.`);
  if (encoding !== 'utf-8') context.note(`${plain(file)} is read as ${encoding}.`);
  requireClean(file, text);
  const connected = await context.connect();
  const { client } = connected;
  const known = await jobOf(connected, { file, text, jobId: options.job });
  const at = { import_id: known.importId, job_id: known.jobId };
  const before = (await client.getImportJob({ path: at })).counts.completed;
  for (const body of pieces) {
    const sent = client.retryImportJob({ path: at, body, contentType: 'text/csv' });
    if (await isSentAlready(sent)) return tellSent(connected, known, file);
  }
  const job = await follow(connected, known, { title: 'Retry', stored: before });
  return finish(connected, known, { job, file: path, before });
};

/** Whether the service refuses rows because all of them were sent again before. */
const isSentAlready = (request: Promise<unknown>): Promise<boolean> =>
  onProblem(
    request.then(() => false),
    (problem) => {
      const { errors } = problem;
      if (errors.length === 0 || errors.some(({ code }) => code !== 'not_refused')) throw problem;
      return true;
    },
  );

/** Says what became of the rows of a list that was sent before. */
const tellSent = async (
  context: Connected,
  { importId, jobId }: KnownJob,
  file: string,
): Promise<undefined> => {
  const job = await context.client.getImportJob({ path: { import_id: importId, job_id: jobId } });
  const refused = refusedOf(job.counts);
  const sent = `${plain(file)} was sent already`;
  if (refused > 0) {
    throw new CommandFailure(
      `${sent}, in whole or in part. Take the newest list of refused rows.`,
      exitCodes.failed,
      [`The job still has ${counted(refused, 'refused row')}.`],
    );
  }
  context.show({ import_id: importId, newly_stored: 0, job, rejects: null }, () => [
    `${sent}, and all ${counted(job.counts.completed, 'row')} of the job are stored.`,
  ]);
};

/** The service takes no text with these characters. TAB and line breaks are allowed. */
const controls = /(?![\t\n\r])[\p{Cc}\ufffd]/u;

/** Throws a usage failure that names the lines with such characters. */
const requireClean = (file: string, text: string): void => {
  const lines = text
    .split(/\r\n|\n|\r/)
    .flatMap((line, index) => (line.search(controls) < 0 ? [] : [index + 1]));
  if (lines.length === 0) return;
  throw usageFailure(
    `${file} has characters that the service refuses; remove them, or their rows.`,
    lines.map((line) => `line ${line}`),
  );
};

const finish = async (
  context: Connected,
  known: KnownJob,
  { job, file, before }: { readonly job: ImportJob; readonly file: string; readonly before: number },
): Promise<ExitCode> => {
  tellReasons(context, job);
  const rejects = await writeRejects(context, known, { job, file });
  const newly = job.counts.completed - before;
  context.show({ import_id: known.importId, newly_stored: newly, job, rejects }, () => [
    ...(job.failure === null ? [`The job has ${counted(job.counts.completed, 'stored row')} in all.`] : []),
    ...endLines(context, job, { rejects, stored: newly }),
  ]);
  return exitCodeOf(job);
};

/** The first job of the connection's property that this machine started and that fits. */
const rememberedJob = async (
  { jobsFile, baseUrl, propertyId }: Connected,
  fits: (job: KnownJob) => boolean,
): Promise<KnownJob | undefined> =>
  (await readJobs(jobsFile)).find(
    (job) => job.baseUrl === baseUrl && job.property === propertyId && fits(job),
  );

interface RefusedList {
  readonly file: string;
  readonly text: string;
  /** The job of the option. */
  readonly jobId: number | undefined;
}

/** The job of the option, or the job whose batches the list names. */
const jobOf = async (context: Connected, { file, text, jobId }: RefusedList): Promise<KnownJob> => {
  if (jobId !== undefined) return findJob(context, jobId);
  const named = batchesIn(text);
  const known = await rememberedJob(context, ({ batches }) => named.some((batch) => batches.includes(batch)));
  if (known !== undefined) return known;
  throw usageFailure(
    named.length === 0
      ? `${file} is no list of refused rows: it has no column "batch_job_uuid".`
      : 'This machine does not know the job of these rows. Find its id, and name it:',
    named.length === 0 ? [] : ['tidemark jobs', `tidemark retry ${quoted(file)} --job <id>`],
  );
};

/** A job by its id: a job that this machine started, or else a job of any import definition. */
const findJob = async (context: Connected, jobId: number): Promise<KnownJob> => {
  const { client, baseUrl, propertyId } = context;
  const known = await rememberedJob(context, (job) => job.jobId === jobId);
  if (known !== undefined) return known;
  for await (const { id } of client.listImports({ query: { order: 'newest' } })) {
    const job = await unlessMissing(client.getImportJob({ path: { import_id: id, job_id: jobId } }));
    if (job) return { baseUrl, property: propertyId, importId: id, jobId, batches: [] };
  }
  throw new CommandFailure(`There is no import job ${jobId}. See the jobs: tidemark jobs`);
};

const watch = async (context: Connected, jobId: number): Promise<ExitCode> => {
  const known = await findJob(context, jobId);
  const job = await follow(context, known, { title: `Job ${jobId}` });
  const refused = refusedOf(job.counts);
  tellReasons(context, job);
  context.show(job, () =>
    job.failure === null
      ? [`${counted(job.counts.completed, 'row')} stored, ${count(refused)} refused.`]
      : [`The import stopped: ${plain(job.failure.message)}`],
  );
  return exitCodeOf(job);
};

/** Pause between two looks at an undo. */
const UNDO_POLL_MS = 1_000;

const undo = async (
  context: Connected,
  jobId: number,
  options: { readonly yes?: boolean },
): Promise<ExitCode> => {
  const { client } = context;
  const { importId } = await findJob(context, jobId);
  const path = { import_id: importId, job_id: jobId };
  const { name, dry_run, counts } = await client.getImportJob({ path });
  if (dry_run) throw new CommandFailure('The job was a dry run and stored nothing.');
  const question = `Remove the values of ${plain(name)} (${counted(counts.completed, 'row')}) from all people?`;
  if (!options.yes && !(await context.confirm(question))) return exitCodes.failed;
  await client.undoImportJob({ path });
  for (;;) {
    const job = await client.getImportJob({ path });
    const { undo: undone } = job;
    if (undone?.status !== 'running') {
      context.show(job, () => (undone ? undoLines(undone) : []));
      return exitCodes.ok;
    }
    await context.pause(UNDO_POLL_MS);
  }
};

/** What an undo removed, and what stays. */
const undoLines = ({ values, people }: NonNullable<ImportJob['undo']>): readonly string[] => [
  `${counted(values.taken_back, 'value')} removed; ${counted(people.removed, 'person', 'people')} had no others.`,
  ...(values.replaced === 0
    ? []
    : [`${counted(values.replaced, 'value')} had been replaced by newer ones before.`]),
  ...(values.kept === 0
    ? []
    : [
        `${counted(values.kept, 'withdrawal of consent', 'withdrawals of consent')} ${values.kept === 1 ? 'stays' : 'stay'}: no undo takes back what people said.`,
      ]),
  ...(people.not_restored === 0
    ? []
    : [`${counted(people.not_restored, 'person is', 'people are')} restored only in part.`]),
];
