/** Explanation schemas: the answer that explains why a profile is in a segment or not, for the API and its document. */
import * as v from 'valibot';
import { mark } from '../../profiles/provenance-schema.ts';
import { namedSegment } from '../../catalogue/segment-refs.ts';
import { segmentTypes } from '../../catalogue/types.ts';

const day = v.pipe(v.string(), v.isoDate());
const time = v.pipe(v.string(), v.isoTimestamp());
const segment = v.strictObject({ id: v.number(), name: v.string(), type: v.picklist(segmentTypes) });

/**
 * A value of the profile and its origin. Tags and consent have a `datetime`; it is null for consent of unknown date.
 * Values that decide an age band have `age`, the age today, and `until`, the UTC day on which the band changes (null:
 * never, or unknown).
 */
export const evidence = v.strictObject({
  field: v.string(),
  value: v.union([v.string(), v.number()]),
  datetime: v.exactOptional(v.nullable(v.string())),
  age: v.exactOptional(v.number()),
  until: v.exactOptional(v.nullable(day)),
  ...mark,
});

/** A value of a profile that puts it into a segment, or into another segment of the same kind. */
export type Evidence = Readonly<v.InferOutput<typeof evidence>>;

const verdict = { holds: v.boolean(), decides: v.boolean() };

/** A derived segment: the values that put the profile in, or the values that it has `instead`. */
const value = v.strictObject({
  kind: v.literal('value'),
  ...verdict,
  segment,
  pending: v.boolean(),
  because: v.array(evidence),
  instead: v.array(evidence),
});
const everyone = v.strictObject({ kind: v.literal('everyone'), ...verdict, segment, pending: v.boolean() });

/** A moment: a frozen copy of the members of the tracked segment at `taken_at`. */
const moment = v.strictObject({
  kind: v.literal('moment'),
  ...verdict,
  segment,
  taken_at: v.nullable(time),
});
const parts = { of: v.array(v.lazy((): v.GenericSchema<Reason> => reason)) };

/** A custom segment. Its name is null when it was deleted and only its expanded definition is left. */
const custom = v.strictObject({
  kind: v.literal('custom'),
  ...verdict,
  segment: v.strictObject({ ...segment.entries, name: v.nullable(v.string()) }),
  ...parts,
});
const combination = v.strictObject({ kind: v.picklist(['all', 'any', 'not']), ...verdict, ...parts });

type Part = v.InferOutput<typeof value> | v.InferOutput<typeof everyone> | v.InferOutput<typeof moment>;
interface Verdict {
  holds: boolean;
  decides: boolean;
}
interface Custom extends Verdict {
  kind: 'custom';
  segment: { id: number; name: string | null; type: v.InferOutput<typeof segment>['type'] };
  of: Reason[];
}
interface Combination extends Verdict {
  kind: 'all' | 'any' | 'not';
  of: Reason[];
}

/** A condition of a membership with its verdict: a segment, or a combination with its parts in `of`. */
export type Reason = Part | Custom | Combination;
/** The schema of a condition with its verdict. */
export const reason: v.GenericSchema<Reason> = v.variant('kind', [
  value,
  everyone,
  moment,
  custom,
  combination,
]);

/** Stands for the id of the segment in the path of an explanation: the query names the segment. */
export const BY_NAME = 'by-name';

/** Query of an explanation: the type and the name of the segment, if the path has `by-name` in place of its id. */
export const explainQuery = v.strictObject({
  segment_type: v.optional(namedSegment.entries.type),
  segment_name: v.optional(namedSegment.entries.name),
});
export type ExplainQuery = v.InferOutput<typeof explainQuery>;

/** Response for one membership. `pending`: the profile has changed, and the index has not followed yet. */
export const membershipAnswer = v.strictObject({
  profile_uuid: v.pipe(v.string(), v.uuid()),
  segment,
  member: v.boolean(),
  pending: v.boolean(),
  as_of: time,
  why: reason,
});
