/** The commands of `export` that use an export: list, show, test, host-key, run, log, replay, download, delete. */
import type { Command } from 'commander';
import type { Answer } from '../../src/index.ts';
import { type Act, onProperty } from '../actions.ts';
import type { Connected, Context } from '../context.ts';
import { destinationOf, type Export, exportLines, namesOf, noNames, statusOf } from '../exports/describe.ts';
import { fetchFile, fileNameOf, findExport, newestJob, requireOutput } from '../exports/follow.ts';
import { nextRunText, scheduleText } from '../exports/options.ts';
import { jobToReplay } from '../exports/replay.ts';
import { afterFirstAttempts, confirmingAddress, deliveryLines, runExport, waitsFor } from '../exports/run.ts';
import { whyEmptyNow } from '../exports/why-empty.ts';
import { CommandFailure, exitCodes, type ExitCode } from '../failure.ts';
import type { Column } from '../terminal/table.ts';
import { bytes, count, moment, plain } from '../terminal/text.ts';
import { addExportCreate } from './export-create.ts';

const which = 'the name or the id of the export';

/** Adds the commands. */
export const addExports = (program: Command, act: Act): void => {
  const group = program.command('export').description('write people to files: create, test, run, download …');
  addExportCreate(group, act);
  group
    .command('list')
    .description('list the exports')
    .action(act(onProperty(list)));
  group
    .command('show')
    .description('show an export')
    .argument('<export>', which)
    .action(act(onProperty(show)));
  group
    .command('test')
    .description('test the way to the server: connect, log in, write and remove a small file')
    .argument('<export>', which)
    .action(act(onProperty(test)));
  group
    .command('host-key')
    .description('accept a host key of the server, and no other')
    .argument('<export>', which)
    .argument('<fingerprint>', 'its fingerprint, as ssh-keygen -l prints it: SHA256:…')
    .action(act(onProperty(acceptHostKey)));
  group
    .command('run')
    .description('run an export now')
    .argument('<export>', which)
    .option('--output <file>', 'download the file; "-" is standard output')
    .action(act(run));
  group
    .command('download')
    .description('download the newest file of an export')
    .argument('<export>', which)
    .option('--output <file>', 'the name of the file (default: its own name); "-" is standard output')
    .action(act(onProperty(download)));
  group
    .command('log')
    .description('show the newest run, its deliveries and each attempt')
    .argument('<export>', which)
    .action(act(onProperty(log)));
  group
    .command('replay')
    .description('deliver once more what the newest run has delivered or tried to deliver')
    .argument('<export>', which)
    .action(act(onProperty(replay)));
  group
    .command('delete')
    .description('delete an export and its schedule')
    .argument('<export>', which)
    .option('-y, --yes', 'delete without a question')
    .action(act(onProperty(remove)));
};

const list = async (context: Connected): Promise<undefined> => {
  const exports = await Array.fromAsync(context.client.listExports());
  const none = 'There are no exports yet. Make one: tidemark export create --segment …';
  context.showList(exports, exportColumns, none);
};

const exportColumns: readonly Column<Export>[] = [
  { heading: 'Id', cell: ({ id }) => id },
  { heading: 'Name', least: 8, cell: ({ name }) => name ?? '–' },
  { heading: 'Status', cell: statusOf },
  { heading: 'Runs', cell: ({ schedule }) => (schedule === null ? 'on request' : scheduleText(schedule)) },
  { heading: 'Next run', cell: ({ schedule, next_run }) => nextRunText(schedule, next_run) },
  { heading: 'To', cell: destinationOf },
];

const show = async (context: Connected, text: string): Promise<undefined> => {
  const found = await findExport(context, text);
  const names = context.json ? noNames : await namesOf(context.client, found);
  context.show(found, () => exportLines(context, found, names));
};

const marks: Readonly<Record<string, string>> = { ok: '✓', failed: '✗', skipped: '–' };

const test = async (context: Connected, text: string): Promise<ExitCode> => {
  const { id } = await findExport(context, text);
  const tested = await context.client.testExport({ path: { export_id: id } });
  const shown = tested.host_key?.fingerprint;
  const isKeyRefused = tested.steps.some(({ step, result }) => step === 'host_key' && result === 'failed');
  context.show(tested, () => [
    ...tested.steps.map(({ step, result, message }) => {
      const words = step.replaceAll('_', ' ');
      return `${marks[result] ?? '?'} ${words}${message === null ? '' : `: ${plain(message)}`}`;
    }),
    tested.ok ? `The way is free. Run the export: tidemark export run ${id}` : 'The test failed.',
    ...(shown === undefined || !isKeyRefused
      ? []
      : [`Compare the key with the server, then accept it: tidemark export host-key ${id} ${shown}`]),
  ]);
  return tested.ok ? exitCodes.ok : exitCodes.failed;
};

const acceptHostKey = async (context: Connected, text: string, fingerprint: string): Promise<undefined> => {
  const { id } = await findExport(context, text);
  const pinned = await context.client.replaceHostKey({
    path: { export_id: id },
    body: { fingerprint },
  });
  context.show(pinned, () => [
    `Accepted ${fingerprint} of ${pinned.domain}. Test the way: tidemark export test ${id}`,
  ]);
};

const run = async (
  context: Context,
  text: string,
  { output }: { readonly output?: string },
): Promise<ExitCode> => {
  if (output !== undefined) await requireOutput(context, output);
  const connected = await context.connect();
  return runExport(connected, await findExport(connected, text), output);
};

const download = async (
  context: Connected,
  text: string,
  options: { readonly output?: string },
): Promise<undefined> => {
  const { id } = await findExport(context, text);
  const path = { export_id: id, job_id: await newestComplete(context, id) };
  const job = await context.client.getExportJob({ path });
  if (job.file_name === null) throw new CommandFailure('The newest run has no file: it had no rows.');
  if (job.location === null) throw new CommandFailure(await reasonWithoutLocation(context));
  const output = options.output ?? fileNameOf(job);
  const size = await fetchFile(context, job.location, output);
  if (output !== '-') {
    context.show({ file: context.path(output), bytes: size, rows: job.rows }, () => [
      `${plain(output)}: ${bytes(size)}`,
    ]);
  }
};

/** Only a token that lets data out sees where a file is. */
const reasonWithoutLocation = async ({ client }: Connected): Promise<string> => {
  const { permissions } = await client.getCaller();
  return permissions.includes('exports.write')
    ? 'The file is gone: files are kept for 7 days. Run the export again.'
    : 'The token may not open files of exports: it needs the permission exports.write.';
};

/** The newest job that has a file. */
const newestComplete = async (context: Connected, exportId: string): Promise<string> => {
  const path = { export_id: exportId };
  const query = { order: 'newest', status: 'complete', limit: 1 } as const;
  for await (const { id } of context.client.listExportJobs({ path, query })) return id;
  throw new CommandFailure(`This export has no file yet; run it: tidemark export run ${exportId}`);
};

const log = async (context: Connected, text: string): Promise<undefined> => {
  const { id } = await findExport(context, text);
  const at = { export_id: id, job_id: await newestJob(context, id) };
  const job = await context.client.getExportJob({ path: at });
  const deliveries = await Promise.all(
    job.deliveries.map((delivery) => context.client.getDelivery({ path: { ...at, delivery: delivery.id } })),
  );
  const confirming = await confirmingAddress(context, job);
  const waiting = job.status === 'pending' ? await waitsFor(context, job) : [];
  const why = job.rows === 0 ? await whyEmptyNow(context, job) : [];
  const attempts = deliveries.flatMap(({ kind, log: tries }) => tries.map((one) => ({ ...one, kind })));
  context.show({ ...job, deliveries }, () => [
    `Run ${job.run} of ${moment(job.created)}: ${job.status}${job.error === null ? '' : `: ${plain(job.error.detail)}`}` +
      (job.rows === null ? '' : `, ${count(job.rows)} rows`),
    ...waiting,
    ...why,
    ...deliveryLines(job, confirming),
    ...(attempts.length === 0 ? [] : context.table(attemptColumns, attempts)),
  ]);
};

type Attempt = Answer<'getDelivery'>['log'][number] & { readonly kind: string };

const attemptColumns: readonly Column<Attempt>[] = [
  { heading: 'To', cell: ({ kind }) => kind },
  { heading: 'Attempt', align: 'right', cell: ({ number }) => String(number) },
  { heading: 'Begun', cell: ({ started }) => moment(started) },
  { heading: 'Result', cell: ({ outcome }) => outcome },
  { heading: 'Error', least: 20, cell: ({ error, remark }) => error ?? remark ?? '' },
];

const replay = async (context: Connected, text: string): Promise<ExitCode> => {
  const found = await findExport(context, text);
  const job = await jobToReplay(context, found);
  const at = { export_id: found.id, job_id: job.id };
  for (const delivery of job.deliveries)
    await context.client.replayDelivery({ path: { ...at, delivery: delivery.id } });
  const replayed = await afterFirstAttempts(context, await context.client.getExportJob({ path: at }));
  const confirming = await confirmingAddress(context, replayed);
  context.show(replayed, () => deliveryLines(replayed, confirming));
  return replayed.deliveries.every(({ state }) => state === 'delivered') ? exitCodes.ok : exitCodes.failed;
};

const remove = async (
  context: Connected,
  text: string,
  { yes }: { readonly yes?: boolean },
): Promise<ExitCode | undefined> => {
  const { id, name } = await findExport(context, text);
  const title = name === null ? `export ${id}` : `the export "${plain(name)}" (${id})`;
  if (!yes && !(await context.confirm(`Delete ${title}?`))) return exitCodes.failed;
  await context.client.deleteExport({ path: { export_id: id } });
  context.show({ id, deleted: true }, () => [`Deleted ${title}.`]);
};
