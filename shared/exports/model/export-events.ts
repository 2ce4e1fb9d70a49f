/** Export events: the bodies that the service posts to the webhook of an export. */
import * as v from 'valibot';
import { described } from '../../http/described.ts';
import { jobStatuses } from './items.ts';

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
