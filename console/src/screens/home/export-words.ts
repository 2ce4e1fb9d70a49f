/** Words about exports: where they go, and what became of a run. */
import type { Texts } from '../../texts/en.ts';
import type { ExportWithJob } from './use-overview.ts';

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
