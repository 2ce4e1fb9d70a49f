/** Dry run result: what a dry run answers, as the API shows it and as an object of the work bucket. */
import * as v from 'valibot';
import { segmentTypes } from '../../catalogue/types.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import type { ImportJob } from './import-job.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Schema of the result of a dry run. */
export const dryRunResult = v.object({
  people: v.object({ new: count, changed: count, unchanged: count }),
  rows: v.object({ stored: count, refused: count, failed: count, warnings: count }),
  new_segments: v.object({
    count,
    /** The first 1,000 by name. */
    segments: v.array(v.object({ type: v.picklist(segmentTypes), name: v.string(), members: count })),
  }),
  /** The guard that would stop a job that is no dry run. */
  stopped_by: v.nullable(v.object({ code: v.string(), message: v.string() })),
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
