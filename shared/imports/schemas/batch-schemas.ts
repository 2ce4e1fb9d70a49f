/** Batch schemas: bodies and answers of the routes that take records and corrected rows. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { fullListUpTo } from '../../http/bounded-list.ts';
import { described, shownAs } from '../../http/described.ts';
import { idSchema } from '../../http/text.ts';
import { recordSchema } from '../../profiles/record-schema.ts';
import { importName } from './names.ts';
import { jobAnswer } from './job-schemas.ts';

/** Body of `POST import-data`. The schema only counts the records; the worker validates them one by one. */
export const batchBody = v.strictObject({
  name: described('The name of the batch. Several batches may have the same name.', importName),
  import_job: described(
    'The id of the job that takes the batch. `POST …/imports/{import_id}/jobs` creates it.',
    idSchema,
  ),
  skip_appends: described(
    'Whether to store only identities and consent of records whose trust is `third_party` or `provider_1` to `provider_3`. If left out, the import definition decides.',
    v.optional(v.boolean()),
  ),
  records: described(
    'The records, one for each person. The service checks each record by itself after the answer: a bad record does not stop the others.',
    v.pipe(
      v.array(v.unknown()),
      v.minLength(1),
      v.maxLength(limits.imports.recordsPerBatch),
      shownAs(fullListUpTo(limits.imports.recordsPerBatch, recordSchema)),
    ),
  ),
});
export type BatchBody = v.InferOutput<typeof batchBody>;

/** Body of `POST retry`: the downloaded list of refused rows with corrections. */
export const retryBody = v.strictObject({
  csv: described(
    'The text of the list of refused rows (`GET …/errors?format=csv`) with its header and the corrected rows. Leave out rows that you did not correct.',
    v.pipe(v.string(), v.minLength(1)),
  ),
});
export type RetryBody = v.InferOutput<typeof retryBody>;

/** An accepted batch. */
export const batchAnswer = v.object({
  batch_job_uuid: described(
    'The id of the batch. Reports name it beside each of its rows.',
    v.pipe(v.string(), v.uuid()),
  ),
  import_job: described('The job right after it accepted the batch.', jobAnswer),
  name: described('The name of the batch.', v.string()),
  skip_appends: described(
    'Whether the service stores only identities and consent of records whose trust is `third_party` or `provider_1` to `provider_3`.',
    v.boolean(),
  ),
});
