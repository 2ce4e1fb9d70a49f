/** Dry run result: what a dry run answers, as the API shows it and as an object of the work bucket. */
import * as v from 'valibot';
import { segmentTypes } from '../../catalogue/types.ts';
import { importFailureCode } from '../../http/code-schemas.ts';
import { described } from '../../http/described.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import type { ImportJob } from '../items/import-job.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Schema of the result of a dry run. */
export const dryRunResult = v.object({
  people: described(
    'The people whose records the job would store. A person counts once.',
    v.object({
      new: described('People whom the property does not have yet.', count),
      changed: described('People who would get another value or another identity.', count),
      unchanged: described('People whose profile would stay as it is.', count),
    }),
  ),
  rows: described(
    'The rows or records of the job.',
    v.object({
      stored: described('Rows that the job would store.', count),
      refused: described('Rows that the mapping or a rule refuses.', count),
      failed: described('Valid rows that the job could not store.', count),
      warnings: described('Warnings about rows that the job would store.', count),
    }),
  ),
  new_segments: described(
    'The segments that the job would add to the property.',
    v.object({
      count: described('The exact number of new segments.', count),
      segments: described(
        'The first 1,000 of them by name.',
        v.array(
          v.object({
            type: described('The type of the segment.', v.picklist(segmentTypes)),
            name: described('The name of the segment.', v.string()),
            members: described('The number of people who would be in the segment.', count),
          }),
        ),
      ),
    }),
  ),
  stopped_by: described(
    'The guard of the definition that would stop a real job. Null if none would.',
    v.nullable(
      v.object({
        code: described('The stable code of the guard.', importFailureCode),
        message: described('The reason in words, with what to do about it.', v.string()),
      }),
    ),
  ),
});

/** What a job would do if it were no dry run. */
export type DryRunResult = Readonly<v.InferOutput<typeof dryRunResult>>;

const storedResult = v.pipe(v.string(), v.parseJson(), dryRunResult);

/** Reads the result of a dry run; `null` while there is none, for other jobs, and after its object has expired. */
export const readDryRunResult = async (
  work: Pick<ObjectStore, 'get'>,
  { dryRunResult: result }: Pick<ImportJob, 'dryRunResult'>,
): Promise<DryRunResult | null> => {
  const bytes = result && (await work.get(result.key));
  return bytes ? v.parse(storedResult, Buffer.from(bytes).toString('utf8')) : null;
};
