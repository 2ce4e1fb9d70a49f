/** Explanation schemas: the answer that explains why a profile is in a segment or not, for the API and its document. */
import * as v from 'valibot';
import { described } from '../../http/described.ts';
import { mark } from '../../profiles/provenance-schema.ts';
import { namedSegment } from '../../catalogue/segment-refs.ts';
import { segmentTypes } from '../../catalogue/types.ts';

const day = v.pipe(v.string(), v.isoDate());
const time = v.pipe(v.string(), v.isoTimestamp());
const segment = v.strictObject({
  id: described('The id of the segment.', v.pipe(v.number(), v.integer())),
  name: described('The name of the segment.', v.string()),
  type: described('The type of the segment.', v.picklist(segmentTypes)),
});

/** A value of the profile and its origin. */
export const evidence = v.strictObject({
  field: described('The field with the value; for consent, `consent.` and the channel.', v.string()),
  value: described('The value.', v.union([v.string(), v.number()])),
  datetime: described(
    'The time of a tag, as `YYYY-MM-DD HH:MM:SS` in UTC, or of a statement of consent. Null for consent of unknown date. Other values have none.',
    v.exactOptional(v.nullable(v.string())),
  ),
  age: described(
    'The age today, for a value that decides an age band, or a condition on `age`.',
    v.exactOptional(v.pipe(v.number(), v.integer())),
  ),
  until: described(
    'The UTC day on which the person enters the next age band. Null in the last band, and for an age without a birthday. For a condition with a window or an age, the last UTC day on which the person is a member; null without an end.',
    v.exactOptional(v.nullable(day)),
  ),
  ...mark,
  source: described(
    'The source of the value, as lookups explain it; for `created`, which the service knows itself, `service`.',
    mark.source,
  ),
});

/** A value of a profile that puts it into a segment, or into another segment of the same kind. */
export type Evidence = Readonly<v.InferOutput<typeof evidence>>;

const verdict = {
  holds: described('Whether the profile meets the condition.', v.boolean()),
  decides: described(
    'Whether the condition explains the result. The result follows from the deciding conditions alone.',
    v.boolean(),
  ),
};

const kind = <const Kind extends string>(name: Kind) => described(kindSentence, v.literal(name));
const kindSentence =
  'What the condition is: a segment of a value or of a condition on a value, everyone, a moment, a custom segment, or a combination (`all`, `any`, `not`).';
const pending = described(
  'Whether the profile has changed, and its segments will follow shortly.',
  v.boolean(),
);
const told = described('The segment of the condition.', segment);

/** A derived segment: the values that put the profile in, or the values that it has `instead`. */
const value = v.strictObject({
  kind: kind('value'),
  ...verdict,
  segment: told,
  pending,
  because: described('The values that put the profile into the segment, at most ten.', v.array(evidence)),
  instead: described(
    'The values that the profile has instead, where it can have only one of this kind, or in the field of a condition.',
    v.array(evidence),
  ),
});
const everyone = v.strictObject({ kind: kind('everyone'), ...verdict, segment: told, pending });

/** A moment: a frozen copy of the members of the tracked segment at `taken_at`. */
const moment = v.strictObject({
  kind: kind('moment'),
  ...verdict,
  segment: told,
  taken_at: described(
    'When the moment was taken; present values of the profile do not matter. Null if that is unknown.',
    v.nullable(time),
  ),
});
const parts = {
  of: described('The parts of the condition.', v.array(v.lazy((): v.GenericSchema<Reason> => reason))),
};

/** A custom segment. Its name is null when it was deleted and only its expanded definition is left. */
const custom = v.strictObject({
  kind: kind('custom'),
  ...verdict,
  segment: described(
    'The custom segment.',
    v.strictObject({
      ...segment.entries,
      name: described('The name of the segment. Null once it is deleted.', v.nullable(v.string())),
    }),
  ),
  ...parts,
});
const combination = v.strictObject({
  kind: described(kindSentence, v.picklist(['all', 'any', 'not'])),
  ...verdict,
  ...parts,
});

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
/** The kinds of conditions. */
export const reasons = { value, everyone, moment, custom, combination };
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
  segment_type: described(
    `The type of the segment, if the path has \`${BY_NAME}\` in place of its id.`,
    v.optional(namedSegment.entries.type),
  ),
  segment_name: described(
    `The name of the segment, ignoring case, if the path has \`${BY_NAME}\` in place of its id.`,
    v.optional(namedSegment.entries.name),
  ),
});
export type ExplainQuery = v.InferOutput<typeof explainQuery>;

/** Response for one membership. */
export const membershipAnswer = v.strictObject({
  profile_uuid: described(
    'The id of the profile. A profile that was merged into another answers with the id of the other.',
    v.pipe(v.string(), v.uuid()),
  ),
  segment: described('The segment.', segment),
  member: described('Whether the profile is in the segment.', v.boolean()),
  pending,
  as_of: described('When the membership was read.', time),
  why: described('The condition of the segment, with a verdict on each of its parts.', reason),
});
