/** Export events: the bodies that the service posts to the webhook of an export, and to the receiver of its changes. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { described } from '../../http/described.ts';
import { changeKinds, jobStatuses } from './items.ts';

const time = v.pipe(v.string(), v.isoTimestamp());
const exportId = described('The id of the export.', v.pipe(v.string(), v.digits()));

/** A job of an export has ended. */
export const exportEnded = v.object({
  type: described('What happened.', v.picklist(['export.completed', 'export.failed'])),
  export_id: exportId,
  export_name: described('The name of the export; null without a name.', v.nullable(v.string())),
  job_id: described('The id of the job.', v.pipe(v.string(), v.digits())),
  status: described('The status of the job.', v.picklist(jobStatuses)),
  location: described('The address of the file; null without a file.', v.nullable(v.string())),
  s3_object: described('The address of the file in your bucket; null without one.', v.nullable(v.string())),
  file_name: described('The name of the file; null without a file.', v.nullable(v.string())),
  rows: described(
    'The number of people in the file; null without a file.',
    v.nullable(v.pipe(v.number(), v.integer())),
  ),
  sha256: described('The SHA-256 of the file in hexadecimal; null without a file.', v.nullable(v.string())),
  timestamp: described('When the job ended.', time),
});
export type ExportEnded = v.InferOutput<typeof exportEnded>;

/** A client tests the destinations of an export. */
export const exportTested = v.object({
  type: described('What happened.', v.literal('export.test')),
  export_id: exportId,
  timestamp: described('When the test ran.', time),
});
export type ExportTested = v.InferOutput<typeof exportTested>;

const change = v.object({
  change: described(
    'What happened: the person came in, left, or has other values than before.',
    v.picklist(changeKinds),
  ),
  profile: described(
    'The person: `profile_uuid`, and the columns of the export. Of somebody who left, only the identities among them; of somebody who was forgotten, `profile_uuid` alone.',
    v.looseObject({ profile_uuid: described('The UUID of the person.', v.pipe(v.string(), v.uuid())) }),
  ),
});

/** Changes of the members of an export: a part of the difference between two of its jobs. */
export const segmentChanges = v.object({
  type: described('What happened.', v.literal('segment.changes')),
  export_id: exportId,
  job_id: described('The id of the job.', v.pipe(v.string(), v.digits())),
  part: described('The number of the call among those of the job, from 1.', v.pipe(v.number(), v.integer())),
  last: described('Whether it is the last call of the job.', v.boolean()),
  delta_from: described(
    'The id of the job that the changes build on. Null if they build on nothing: discard what you know at part 1.',
    v.nullable(v.pipe(v.string(), v.digits())),
  ),
  watermark: described('Later changes may be missing.', time),
  changes: described(
    `At most ${limits.exports.changesPerCall} changes, each of another person.`,
    v.array(change),
  ),
});
export type SegmentChanges = v.InferOutput<typeof segmentChanges>;

/** A client tests the receiver of the changes of an export. */
export const segmentChangesTested = v.object({
  type: described('What happened.', v.literal('segment.changes.test')),
  export_id: exportId,
  changes: described('Nothing has changed.', v.array(change)),
  timestamp: described('When the test ran.', time),
});
export type SegmentChangesTested = v.InferOutput<typeof segmentChangesTested>;
