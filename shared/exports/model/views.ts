/** Views of exports: the form in which the API shows definitions, jobs, deliveries and host keys. */
import { shownDelivery, shownDeliveryLog } from '../../deliveries/views.ts';
import { isoTime } from '../../runtime/clock.ts';
import { shownNextRun } from '../../schedules/client-schedules.ts';
import { scheduleOf } from './schedule-of.ts';
import { permissionPolicy, trustPolicy } from './s3-destination.ts';
import type { DeliveryKind, ExportDefinition, ExportDelivery, ExportJob, HostKey, JobRef } from './items.ts';

/** Facts that the view of a definition shows beside the definition itself. */
export interface DefinitionFacts {
  readonly status: string;
  readonly location: string | null;
  /** The last job whose changes the receiver took whole. */
  readonly told: number | null;
  /** The present time in epoch milliseconds. */
  readonly now: number;
  /** ARN of the account of the service, which roles of clients trust. */
  readonly accountArn: string;
}

/** The view of a definition. Ids of exports and their jobs are strings in the API. */
export const definitionView = (definition: ExportDefinition, latest: DefinitionFacts) => ({
  id: String(definition.export),
  name: definition.name,
  property: definition.property,
  created: isoTime(definition.created),
  segment: definition.segment,
  collection: definition.collection,
  tile_types: definition.tile_types,
  consent: definition.consent,
  field_set: definition.field_set,
  data_format: definition.data_format,
  compression: definition.compression,
  file_name: definition.file_name,
  directory: definition.directory,
  scope: definition.scope,
  custom_result_format: definition.custom_result_format,
  start_date: definition.start_date,
  end_date: definition.end_date,
  formula_guard: definition.formula_guard,
  skip_empty: definition.skip_empty,
  changes: definition.changes && { ...definition.changes, told_job: textOrNull(latest.told) },
  schedule: definition.schedule,
  next_run: shownNextRun(scheduleOf(definition), latest.now),
  notification_email: definition.notification_email,
  webhook_url: definition.webhook_url,
  pgp_public_key: definition.pgp_public_key,
  destination_credentials: destinationView(definition),
  s3_destination: s3DestinationView(definition, latest.accountArn),
  status: latest.status,
  location: latest.location,
});

/** The SFTP server, and the public key that the server must accept. No answer shows a private key or a password. */
const destinationView = ({ destination }: ExportDefinition) =>
  destination && {
    domain: destination.domain,
    client_id: destination.client_id,
    authentication: destination.authentication,
    public_key: destination.public_key,
    temporary_name: destination.temporary_name,
    verify: destination.verify,
  };

/** The bucket, and the policies that its role needs, ready to paste. */
const s3DestinationView = (definition: ExportDefinition, accountArn: string) => {
  const { s3_destination: destination } = definition;
  return (
    destination && {
      bucket: destination.bucket,
      region: destination.region,
      role_arn: destination.role_arn,
      external_id: destination.external_id,
      trust_policy: trustPolicy(destination, accountArn),
      permission_policy: permissionPolicy(destination, definition),
    }
  );
};

/** Facts that the view of a job shows beside the job itself. */
export interface JobFacts {
  readonly deliveries: readonly ExportDelivery[];
  readonly partsDone: number;
  readonly location: string | null;
  readonly manifest: string | null;
}

/** The view of a job. */
export const jobView = (job: ExportJob, { deliveries, partsDone, location, manifest }: JobFacts) => ({
  id: String(job.job),
  export: String(job.export),
  property: job.property,
  run: job.run,
  status: job.status,
  created: isoTime(job.created),
  started: timeOrNull(job.started),
  finished: timeOrNull(job.finished),
  progress: progressOf(job, partsDone),
  rows: job.file?.rows ?? (job.status === 'complete' ? 0 : null),
  rows_skipped: job.skipped,
  file_name: job.file?.name ?? null,
  bytes: job.file?.bytes ?? null,
  sha256: job.file?.sha256 ?? null,
  delta_from: textOrNull(job.plan?.base?.job ?? null),
  location,
  manifest,
  error: job.error,
  deliveries: deliveries.map((delivery) => deliveryView(job, delivery)),
});
export type JobView = ReturnType<typeof jobView>;

/** Share of the parts in the progress of a job. Assembling the file takes about a tenth of the time. */
const PARTS_SHARE = 0.9;

const progressOf = ({ status, plan }: ExportJob, partsDone: number): number => {
  if (status === 'complete') return 1;
  if (plan === null) return 0;
  return plan.shards === 0 ? PARTS_SHARE : Math.round((partsDone / plan.shards) * PARTS_SHARE * 1000) / 1000;
};

/** Id of a delivery: a job has at most one delivery of each kind. */
export const deliveryId = ({ job }: Pick<JobRef, 'job'>, kind: DeliveryKind): string => `${job}-${kind}`;

/** What a receiver of changes has taken; nulls for deliveries of other kinds. */
const takenView = ({ kind, part = 0, sent = 0 }: ExportDelivery) =>
  kind === 'changes' ? { part, sent } : { part: null, sent: null };

/** The view of a delivery. */
export const deliveryView = (job: Pick<JobRef, 'job'>, delivery: ExportDelivery) => ({
  ...shownDelivery(deliveryId(job, delivery.kind), delivery),
  ...takenView(delivery),
});

/** The view of a delivery with its attempts, the newest first. */
export const loggedDeliveryView = (job: Pick<JobRef, 'job'>, delivery: ExportDelivery) => ({
  ...shownDeliveryLog(deliveryId(job, delivery.kind), delivery),
  ...takenView(delivery),
});

/** The view of a pinned host key. Without a pinned key, the service pins the first key that the server shows. */
export const hostKeyView = (domain: string, hostKey: HostKey | undefined) => ({
  domain,
  fingerprint: hostKey?.fingerprint ?? null,
  type: hostKey?.type ?? null,
  pinned: timeOrNull(hostKey?.pinned ?? null),
  pinned_by: hostKey?.pinned_by ?? null,
});

const timeOrNull = (time: number | null): string | null => (time === null ? null : isoTime(time));

const textOrNull = (id: number | null): string | null => (id === null ? null : String(id));
