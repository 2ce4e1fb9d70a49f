/** Exports with their newest jobs: names, where they go, and what became of a run. */
import type { Answer } from '../../../client/src/types.ts';
import type { Texts } from '../texts/en.ts';

/** A run of an export. */
export type ExportJob = Answer<'listExportJobs'>['jobs'][number];

/** An export with its newest job; `undefined` if it has not run. */
export interface ExportWithJob {
  readonly definition: Answer<'listExports'>['exports'][number];
  readonly job: ExportJob | undefined;
}

/** The name of an export. */
export const exportName = (texts: Texts, { definition }: ExportWithJob): string =>
  definition.name ?? texts.home.unnamed;

/** Where the files of an export go; `undefined` if they wait for a download. */
export const placeOf = ({ definition }: ExportWithJob): string | undefined => {
  const {
    destination_credentials: server,
    s3_destination: bucket,
    notification_email,
    webhook_url,
  } = definition;
  if (server) return server.domain;
  if (bucket) return bucket.bucket;
  if (notification_email !== null) return notification_email;
  return webhook_url === null ? undefined : new URL(webhook_url).host;
};

/** A delivery of the newest run that has not arrived, and why. */
export const undelivered = ({ job }: ExportWithJob) =>
  job?.deliveries.find(
    ({ state, last_error }) => state === 'exhausted' || (state === 'retrying' && last_error !== null),
  );

/** Whether an export is more than a download: it has a schedule or a destination. */
export const isLasting = (one: ExportWithJob): boolean =>
  one.definition.schedule !== null || placeOf(one) !== undefined;

/** Whether an export runs, or delivers what it has written. */
export const isAtWork = ({ job }: ExportWithJob): boolean =>
  job?.status === 'pending' ||
  job?.status === 'running' ||
  job?.deliveries.some(({ state }) => state === 'waiting' || state === 'sending') === true;
