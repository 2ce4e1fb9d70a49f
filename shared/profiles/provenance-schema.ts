/** Schema of provenance: the source of every value of a profile, as lookups explain it. */
import * as v from 'valibot';
import { described } from '../http/described.ts';
import { consentStates } from './consent.ts';
import { tierNames } from './types.ts';

/** The names of the tiers, the most trusted first. */
export const shownTiers = Object.values(tierNames);

/** The source of a value. */
export const mark = {
  tier: described(
    'The trust in the source. Lookups show the most trusted value of a field: `stated` comes first, `provider_3` last.',
    v.picklist(shownTiers),
  ),
  source: described(
    'The source of the value: `api`, `enricher:` and the name of the enricher, `import:` and the id of the import definition, `suppression` for what somebody with the identity had withdrawn before, or `objection` for an objection to every use.',
    v.string(),
  ),
  job: described(
    'The id of the import job that brought the value. Null for other sources, and for values that an undo had to leave.',
    v.nullable(v.pipe(v.number(), v.integer())),
  ),
  stamp: described(
    'When the record with the value was accepted. Of two values of the same trust, the newer counts.',
    v.pipe(v.string(), v.isoTimestamp()),
  ),
};

/** A single value of `extra_data`. */
export const scalar = v.union([v.string(), v.number(), v.boolean(), v.null()]);
/** All values of a field, with the source of each. */
export const provenValues = v.array(
  v.strictObject({
    value: described(
      'The stored value. Null if a record erased it.',
      v.union([scalar, v.pipe(v.array(scalar), v.readonly())]),
    ),
    ...mark,
    won: described('Whether lookups show this value.', v.boolean()),
  }),
);

/** A statement of consent, without its place. */
export const statement = {
  channel: described('The channel, such as `email`.', v.string()),
  state: described('Whether the person gave or withdrew consent.', v.picklist(consentStates)),
  datetime: described(
    'When the person said so, in UTC. Null if the date is unknown, as in files without dates.',
    v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  ),
};

/** A tag. Its time has the form in which records send it. */
export const tagEntries = {
  tag: described('The text of the tag.', v.string()),
  datetime: described('When the person got the tag: `YYYY-MM-DD HH:MM:SS` in UTC.', v.string()),
};
/** A like. */
export const likeEntries = { id: described('The id of the page in its social network.', v.string()) };

/** The source of every value; each list has the most trusted value first, then the newest. */
export const provenanceAnswer = v.strictObject({
  fields: described(
    'The stored values of each field, at most one for each trust (`tier`). Identities have every value that was ever sent.',
    v.record(v.string(), provenValues),
  ),
  extra_data: described(
    'The stored values of each name in `extra_data`.',
    v.record(v.string(), provenValues),
  ),
  tags: described('The tags of the person.', v.array(v.strictObject({ ...tagEntries, ...mark }))),
  removed_tags: described(
    'The tags that records removed. Older tags with this text, tier and time are gone.',
    v.array(
      v.strictObject({
        tag: tagEntries.tag,
        datetime: described(
          'The time of the removed tag: `YYYY-MM-DD HH:MM:SS` in UTC. Null if the tag was removed with every time.',
          v.nullable(v.string()),
        ),
        ...mark,
      }),
    ),
  ),
  replaced_tags: described(
    'The sources that replaced their tags. Their older tags of the tier are gone.',
    v.array(v.strictObject(mark)),
  ),
  social_likes: described(
    'The pages that the person likes.',
    v.array(v.strictObject({ ...likeEntries, ...mark })),
  ),
  sources: described(
    'The source labels of the person.',
    v.array(v.strictObject({ label: described('The label.', v.string()), ...mark })),
  ),
  consent: described(
    'The statements about each channel. The statement that counts comes first. The profile keeps the latest five of each source, trust and state.',
    v.array(
      v.strictObject({
        ...statement,
        label: described(
          'Where the person said so, in the words of the client. Null if unknown.',
          v.nullable(v.string()),
        ),
        ...mark,
        won: described(
          'Whether this statement about the channel counts: the latest does. Over a stated withdrawal only a later stated consent does.',
          v.boolean(),
        ),
      }),
    ),
  ),
  erased: described(
    'The sets that a record erased. Older values of the same tier are gone.',
    v.array(
      v.strictObject({
        what: described('The erased set.', v.picklist(['extra_data', 'tags', 'social_likes', 'sources'])),
        ...mark,
      }),
    ),
  ),
});
export type Provenance = v.InferOutput<typeof provenanceAnswer>;
