/** Shared path: the path of a job's file on the server or in the bucket of its client, which later runs may share. */
import { directoryOf, fileName } from '../model/file-names.ts';
import type { DeliveryKind, ExportDefinition, ExportJob } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { objectKeyOf } from '../model/s3-destination.ts';

/** Why the file of an older run is not sent: it would replace the file of a newer run. */
export const supersededFile = 'A newer run has the same file name; this older file was not sent.';

/** The path as one text; `undefined` for a kind of delivery without a file, or without its destination. */
const pathOf = (kind: DeliveryKind, definition: ExportDefinition, job: ExportJob): string | undefined => {
  const { destination, s3_destination } = definition;
  if (kind === 's3' && s3_destination)
    return JSON.stringify([kind, s3_destination.bucket, objectKeyOf(definition, job)]);
  if (kind !== 'sftp' || !destination) return undefined;
  const { domain, client_id } = destination;
  return JSON.stringify([kind, domain, client_id, directoryOf(definition, job), fileName(definition, job)]);
};

/**
 * Claims the path of a job's file for its run, and returns whether a later run has claimed the path. An attempt asks
 * before it sends, and again before the file appears: a later run may begin to send meanwhile.
 */
export const claimPath = async (
  { exports, clock }: { readonly exports: ExportRepository; readonly clock: () => number },
  kind: DeliveryKind,
  definition: ExportDefinition,
  job: ExportJob,
): Promise<'claimed' | 'superseded'> => {
  const path = pathOf(kind, definition, job);
  return path === undefined ? 'claimed' : exports.claimPath(job, path, clock());
};

/** Whether a later run has claimed the path of a job's file. */
export const isSuperseded = async (
  exports: ExportRepository,
  kind: DeliveryKind,
  job: ExportJob,
): Promise<boolean> => {
  const definition = await exports.frozenDefinition(job);
  const path = definition && pathOf(kind, definition, job);
  return path !== undefined && exports.isSuperseded(job, path);
};
