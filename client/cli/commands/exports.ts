/** The commands of `export` that use an export: list, show, test, host-key, run, log, replay, download, delete. */
import type { Command } from 'commander';
import type { Tidemark } from '../../src/index.ts';
import type { Act } from '../actions.ts';
import type { Context } from '../context.ts';
import { destinationOf, type Export, exportLines, namesOf, noNames } from '../exports/describe.ts';
import { fetchFile, fileNameOf, findExport, newestJob, requireOutput } from '../exports/follow.ts';
import { scheduleText } from '../exports/options.ts';
import { afterFirstAttempts, confirmingAddress, deliveryLines, finishRun } from '../exports/run.ts';
import { CommandFailure, exitCodes, type ExitCode } from '../failure.ts';
import { bytes, count, moment, plain } from '../terminal/text.ts';
import { addExportCreate } from './export-create.ts';

const which = 'the name or the id of the export';

/** Adds the commands. */
export const addExports = (program: Command, act: Act): void => {
  const group = program.command('export').description('write people to files: create, test, run, download …');
  addExportCreate(group, act);
  group.command('list').description('list the exports').action(act(list));
  group.command('show').description('show an export').argument('<export>', which).action(act(show));
  group
    .command('test')
    .description('test the way to the server: connect, log in, write and remove a small file')
    .argument('<export>', which)
    .action(act(test));
  group
    .command('host-key')
    .description('accept a host key of the server, and no other')
    .argument('<export>', which)
    .argument('<fingerprint>', 'its fingerprint, as ssh-keygen -l prints it: SHA256:…')
    .action(act(acceptHostKey));
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
    .action(act(download));
  group
    .command('log')
    .description('show the newest run, its deliveries and each attempt')
    .argument('<export>', which)
    .action(act(log));
  group
    .command('replay')
    .description('deliver the file of the newest run once more')
    .argument('<export>', which)
    .action(act(replay));
  group
    .command('delete')
    .description('delete an export and its schedule')
    .argument('<export>', which)
    .option('-y, --yes', 'delete without a question')
    .action(act(remove));
};

const list = async (context: Context): Promise<ExitCode> => {
  const { client } = await context.connect();
  const exports: Export[] = [];
  for await (const one of client.listExports({ signal: context.signal })) exports.push(one);
  context.show(exports, () =>
    exports.length === 0
      ? ['There are no exports yet. Make one: tidemark export create --segment …']
      : context.table(
          [
            { heading: 'Id' },
            { heading: 'Name', least: 8 },
            { heading: 'Status' },
            { heading: 'Runs' },
            { heading: 'Next run' },
            { heading: 'To' },
          ],
          exports.map((one) => [
            one.id,
            one.name ?? '–',
            one.status,
            one.schedule === null ? 'on request' : scheduleText(one.schedule),
            moment(one.next_run),
            destinationOf(one),
          ]),
        ),
  );
  return exitCodes.ok;
};

const show = async (context: Context, text: string): Promise<ExitCode> => {
  const { client } = await context.connect();
  const found = await findExport(context, client, text);
  const names = context.json ? noNames : await namesOf(client, found, context.signal);
  context.show(found, () => exportLines(context, found, names));
  return exitCodes.ok;
};

const marks: Readonly<Record<string, string>> = { ok: '✓', failed: '✗', skipped: '–' };

const test = async (context: Context, text: string): Promise<ExitCode> => {
  const { client } = await context.connect();
  const { id } = await findExport(context, client, text);
  const tested = await client.testExport({ path: { export_id: id }, signal: context.signal });
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

const acceptHostKey = async (context: Context, text: string, fingerprint: string): Promise<ExitCode> => {
  const { client } = await context.connect();
  const { id } = await findExport(context, client, text);
  const pinned = await client.replaceHostKey({
    path: { export_id: id },
    body: { fingerprint },
    signal: context.signal,
  });
  context.show(pinned, () => [
    `Accepted ${fingerprint} of ${pinned.domain}. Test the way: tidemark export test ${id}`,
  ]);
  return exitCodes.ok;
};

const run = async (
  context: Context,
  text: string,
  { output }: { readonly output?: string },
): Promise<ExitCode> => {
  if (output !== undefined) await requireOutput(context, output);
  const { client } = await context.connect();
  const { id } = await findExport(context, client, text);
  const started = await client.createExportJob({ path: { export_id: id }, signal: context.signal });
  return finishRun(context, client, { exportId: id, jobId: started.id, output });
};

const download = async (
  context: Context,
  text: string,
  options: { readonly output?: string },
): Promise<ExitCode> => {
  const { client } = await context.connect();
  const { id } = await findExport(context, client, text);
  const path = { export_id: id, job_id: await newestComplete(context, client, id) };
  const job = await client.getExportJob({ path, signal: context.signal });
  if (job.location === null)
    throw new CommandFailure('The file is gone: files are kept for 7 days. Run the export again.');
  const output = options.output ?? fileNameOf(job);
  const size = await fetchFile(context, client, job.location, output);
  if (output !== '-') {
    context.show({ file: context.path(output), bytes: size, rows: job.rows }, () => [
      `${plain(output)}: ${bytes(size)}`,
    ]);
  }
  return exitCodes.ok;
};

/** The newest job that has a file. */
const newestComplete = async (context: Context, client: Tidemark, exportId: string): Promise<string> => {
  const path = { export_id: exportId };
  const query = { order: 'newest', status: 'complete', limit: 1 } as const;
  for await (const { id } of client.listExportJobs({ path, query, signal: context.signal })) return id;
  throw new CommandFailure(`This export has no file yet; run it: tidemark export run ${exportId}`);
};

const log = async (context: Context, text: string): Promise<ExitCode> => {
  const { client } = await context.connect();
  const { signal } = context;
  const { id } = await findExport(context, client, text);
  const at = { export_id: id, job_id: await newestJob(context, client, id) };
  const job = await client.getExportJob({ path: at, signal });
  const deliveries = await Promise.all(
    job.deliveries.map((delivery) => client.getDelivery({ path: { ...at, delivery: delivery.id }, signal })),
  );
  const confirming = await confirmingAddress(context, client, job);
  context.show({ ...job, deliveries }, () => [
    `Run ${job.run} of ${moment(job.created)}: ${job.status}${job.error === null ? '' : `: ${plain(job.error.detail)}`}` +
      (job.rows === null ? '' : `, ${count(job.rows)} rows`),
    ...deliveryLines(job, confirming),
    ...(deliveries.every((delivery) => delivery.log.length === 0)
      ? []
      : context.table(
          [
            { heading: 'To' },
            { heading: 'Attempt', align: 'right' },
            { heading: 'Begun' },
            { heading: 'Result' },
            { heading: 'Error', least: 20 },
          ],
          deliveries.flatMap((delivery) =>
            delivery.log.map(({ number, started, outcome, error, remark }) => [
              delivery.kind,
              String(number),
              moment(started),
              outcome,
              error ?? remark ?? '',
            ]),
          ),
        )),
  ]);
  return exitCodes.ok;
};

const replay = async (context: Context, text: string): Promise<ExitCode> => {
  const { client } = await context.connect();
  const { signal } = context;
  const { id } = await findExport(context, client, text);
  const at = { export_id: id, job_id: await newestJob(context, client, id) };
  const { deliveries } = await client.getExportJob({ path: at, signal });
  if (deliveries.length === 0) {
    throw new CommandFailure(
      `This export delivers nothing; download its file: tidemark export download ${id}`,
    );
  }
  for (const delivery of deliveries)
    await client.replayDelivery({ path: { ...at, delivery: delivery.id }, signal });
  const replayed = await afterFirstAttempts(context, client, await client.getExportJob({ path: at, signal }));
  const confirming = await confirmingAddress(context, client, replayed);
  context.show(replayed, () => deliveryLines(replayed, confirming));
  return replayed.deliveries.every(({ state }) => state === 'delivered') ? exitCodes.ok : exitCodes.failed;
};

const remove = async (
  context: Context,
  text: string,
  { yes }: { readonly yes?: boolean },
): Promise<ExitCode> => {
  const { client } = await context.connect();
  const { id, name } = await findExport(context, client, text);
  const title = name === null ? `export ${id}` : `the export "${plain(name)}" (${id})`;
  if (!yes && !(await context.confirm(`Delete ${title}?`))) return exitCodes.failed;
  await client.deleteExport({ path: { export_id: id }, signal: context.signal });
  context.show({ id, deleted: true }, () => [`Deleted ${title}.`]);
  return exitCodes.ok;
};
