/** Former values: what import jobs have replaced in a profile, as the file of an access request shows it. */
import * as v from 'valibot';
import { described } from '../http/described.ts';
import { provenanceAnswer } from './provenance-schema.ts';

/** Schema of the former values of a person. */
export const formerValues = v.strictObject({
  all_looked_at: described(
    'Whether the whole log was looked at. `false`: it is too large for one request, or parts of it cannot be read.',
    v.boolean(),
  ),
  jobs: described(
    'The values by the import job that replaced them or kept them out, and the elements of sets that it brought, the newest job first. A job may occur several times.',
    v.array(
      v.strictObject({
        job: described('The id of the import job.', v.pipe(v.number(), v.integer())),
        values: described('The values. `won` says only which of these would count.', provenanceAnswer),
      }),
    ),
  ),
});
export type FormerValues = v.InferOutput<typeof formerValues>;

/** Finds the former values of the person at an ordinal. */
export type FormerValuesOf = (property: number, ordinal: number) => Promise<FormerValues>;
