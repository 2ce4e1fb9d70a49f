/** Runs exports to the end of their deliveries. */
import type { Connected } from '../context.ts';
import { CommandFailure, exitCodes, type ExitCode } from '../failure.ts';
import type { Export } from './describe.ts';
import { bytes, counted, moment, plain } from '../terminal/text.ts';
import { type ExportJob, fetchFile, followExport } from './follow.ts';
import { whyEmpty } from './why-empty.ts';

/** Runs an export. Follows the run to its end and to the first attempt of each delivery, and downloads the file if that is wanted. */
export const runExport = async (
  context: Connected,
  { id: exportId, changes }: Pick<Export, 'id' | 'changes'>,
  output: string | undefined,
): Promise<ExitCode> => {
  const created = await context.client.createExportJob({ path: { export_id: exportId } });
  if (changes) await requireTold(context, created);
  const ended = await followExport(context, exportId, created.id);
  const hasFile = ended.file_name !== null;
  const size =
    output === undefined || !hasFile ? undefined : await fetchFile(context, ended.location ?? '', output);
  const job = await afterFirstAttempts(context, ended);
  const confirming = await confirmingAddress(context, job);
  if (job.rows === 0) context.note(...(await whyEmpty(context, job)));
  if (!hasFile && output !== undefined) context.note('No file was written.');
  if (output !== '-') {
    context.show(job, () => [
      ...(size === undefined ? [] : [`${plain(output ?? '')}: ${bytes(size)}`]),
      ...deliveryLines(job, confirming),
      ...(size === undefined && hasFile && job.deliveries.length === 0
        ? [`Download the file: tidemark export download ${exportId}`]
        : []),
    ]);
  }
  return job.deliveries.some(({ last_error }) => last_error !== null) ? exitCodes.failed : exitCodes.ok;
};

/** Throws a failure if a run has to wait for a receiver that fails: that may take days. */
const requireTold = async (context: Connected, job: ExportJob): Promise<void> => {
  const [first, ...others] = await waitsFor(context, job);
  if (first !== undefined) throw new CommandFailure(first, exitCodes.failed, others);
};

/** The sentences about an earlier run whose changes a receiver does not take, and for which a run waits. */
export const waitsFor = async (
  { client }: Connected,
  { id, run, export: exportId }: ExportJob,
): Promise<readonly string[]> => {
  const query = { order: 'newest', limit: 2 } as const;
  const { jobs } = await client.listExportJobs({ path: { export_id: exportId }, query });
  const before = jobs.find((job) => job.id !== id);
  const failing =
    before?.deliveries.filter(({ kind, state }) => kind === 'changes' && state === 'retrying') ?? [];
  return before === undefined || failing.length === 0
    ? []
    : [
        `Run ${run} begins once the changes of run ${before.run} are told or given up.`,
        ...failing.map(deliveryText),
      ];
};

const DELIVERY_POLL_MS = 1_000;

/** The job once each delivery has succeeded or had its first attempt. */
export const afterFirstAttempts = async (context: Connected, ended: ExportJob): Promise<ExportJob> => {
  let job = ended;
  while (job.deliveries.some(({ state }) => state === 'waiting' || state === 'sending')) {
    await context.pause(DELIVERY_POLL_MS);
    const path = { export_id: job.export, job_id: job.id };
    job = await context.client.getExportJob({ path });
  }
  return job;
};

/** The error of a mail to an address whose owner has not confirmed it. */
const UNCONFIRMED = 'unconfirmed_address';

/** The beginning of the error of a delivery whose file has a person who was forgotten. */
const FORGOTTEN = 'members_forgotten';

/** The address that a mail of a job waits for; `undefined` if no mail waits. */
export const confirmingAddress = async (
  { client }: Connected,
  { export: id, deliveries }: ExportJob,
): Promise<string | undefined> => {
  if (deliveries.every(({ last_error }) => last_error !== UNCONFIRMED)) return undefined;
  const { notification_email } = await client.getExport({ path: { export_id: id } });
  return notification_email ?? undefined;
};

/** The deliveries of a job in words. `confirming` is the address that a mail waits for. */
export const deliveryLines = (
  { deliveries, export: id }: Pick<ExportJob, 'deliveries' | 'export'>,
  confirming?: string,
): readonly string[] =>
  deliveries.map((delivery) => {
    const { kind, state, last_error } = delivery;
    if (last_error === UNCONFIRMED && state !== 'delivered') {
      const who = confirming === undefined ? 'The address' : plain(confirming);
      return `✗ ${kind}: ${who} was asked to confirm; the mail goes out when they press the button in the mail that asks them.`;
    }
    if (state === 'exhausted' && last_error?.startsWith(FORGOTTEN) === true)
      return `✗ ${kind}: A person in the file was forgotten, so nobody gets it. Run the export again: tidemark export run ${id}`;
    return `${state === 'delivered' ? '✓' : '✗'} ${deliveryText(delivery)}`;
  });

/** A delivery in words, with the changes that a receiver took. */
const deliveryText = ({
  kind,
  state,
  last_error,
  next_attempt,
  sent,
  part,
}: ExportJob['deliveries'][number]): string => {
  const error = last_error === null ? '' : `: ${plain(last_error)}`;
  const next =
    next_attempt === null || state === 'delivered' ? '' : ` (next attempt ${moment(next_attempt)})`;
  const taken = sent ? `; ${counted(sent, 'change')} taken in ${counted(part ?? 0, 'call')}` : '';
  return `${kind} ${state}${error}${next}${taken}`;
};
