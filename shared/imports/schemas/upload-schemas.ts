/** Upload schemas: bodies and answers of the routes of uploads. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { described } from '../../http/described.ts';
import { idSchema } from '../../http/text.ts';
import { fileName } from './names.ts';
import { dryRun } from './job-schemas.ts';

const { imports } = limits;

/** Body of `POST uploads`. */
export const uploadBody = v.strictObject({
  file_name: described('The name of the file without a path. It becomes the name of the job.', fileName),
  size: described(
    'The exact size of the file in bytes, before any decompression.',
    v.pipe(
      v.number(),
      v.safeInteger(),
      v.minValue(1, 'The file is empty.'),
      v.maxValue(imports.uploadBytes, `Must be at most ${imports.uploadBytes / 1e9} GB.`),
    ),
  ),
  dry_run: dryRun,
});
export type UploadBody = v.InferOutput<typeof uploadBody>;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const addresses = {
  job_id: described('The id of the job that imports the file once it has arrived.', idSchema),
  headers: described('Headers to send with each PUT.', v.record(v.string(), v.string())),
  expires_at: described(
    'When the addresses expire, an hour after this answer. `GET …/uploads/{job_id}` returns new ones.',
    v.pipe(v.string(), v.isoTimestamp()),
  ),
};

const partAddress = v.object({
  part_number: described('The number of the part, from 1.', count),
  offset: described('Where the part begins in the file, in bytes from 0.', count),
  size: described('The size of the part in bytes.', count),
  url: described('The address to PUT the bytes of the part to.', v.string()),
});

/** Pre-signed addresses for one file: for the whole file, or for each missing part. */
export const wholeUpload = v.object({
  ...addresses,
  url: described('The address to PUT the whole file to. Only files of up to 100 MB have it.', v.string()),
});
export const partsUpload = v.object({
  ...addresses,
  parts: described(
    'The missing parts of a larger file. PUT them in any order, then call `POST …/uploads/{job_id}/complete`.',
    v.array(partAddress),
  ),
});
export const uploadAnswer = v.union([wholeUpload, partsUpload]);
