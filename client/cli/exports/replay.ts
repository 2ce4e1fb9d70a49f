/** Finds the run of an export whose deliveries are made once more. */
import type { Connected } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { moment } from '../terminal/text.ts';
import { destinationOf, DOWNLOAD, type Export } from './describe.ts';
import { type ExportJob, requireNewest } from './follow.ts';

/** Runs among which one with deliveries is looked for. A run that waits or had nothing to deliver has none. */
const LOOKED_AT = 50;

/**
 * The newest run that has ended and has deliveries. The command says which run this is, and what a newer run does. Throws a
 * failure if there is none.
 */
export const jobToReplay = async (context: Connected, one: Export): Promise<ExportJob> => {
  if (destinationOf(one) === DOWNLOAD) {
    throw new CommandFailure(
      `This export delivers nothing; download its file: tidemark export download ${one.id}`,
    );
  }
  const query = { order: 'newest', limit: LOOKED_AT } as const;
  const { jobs } = await context.client.listExportJobs({ path: { export_id: one.id }, query });
  const newest = requireNewest(jobs, one.id);
  const job = jobs.find(({ status, deliveries }) => hasEnded(status) && deliveries.length > 0);
  if (job === undefined)
    throw new CommandFailure(`${doingOf(newest)} No run of this export has deliveries to repeat.`);
  if (job.id !== newest.id) context.note(doingOf(newest));
  context.note(`Run ${job.run} of ${moment(job.created)} is delivered once more.`);
  return job;
};

const hasEnded = (status: ExportJob['status']): boolean => status === 'complete' || status === 'failed';

/** A sentence about a run whose deliveries are not repeated: what it does now, or how it ended. */
const doingOf = ({ run, status }: ExportJob): string => {
  if (status === 'pending') return `Run ${run} waits.`;
  return hasEnded(status) ? `Run ${run} has delivered nothing.` : `Run ${run} is ${status}.`;
};
