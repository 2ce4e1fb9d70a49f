import * as v from 'valibot';
import type { Attributes } from '../table/table.ts';
import { isStamp } from './stamp.ts';
import type { Stamp } from './types.ts';

const count = v.number();
/** How many things of each kind forgetting a person removes. */
export const removedSchema = v.object({
  attributes: count,
  identities: count,
  extra_data: count,
  tags: count,
  social_likes: count,
  sources: count,
  segments: count,
  moments: count,
});
export type Removed = Readonly<v.InferOutput<typeof removedSchema>>;

const unfinished = v.object({
  /** Keys of the claims of the person's identities. */
  claims: v.array(v.object({ pk: v.string(), sk: v.string() })),
  /** Segments that the person may be in. Moments are looked for when it is finished. */
  segments: v.array(v.number()),
  removed: removedSchema,
});
/** What forgetting a person has still to remove, and what it answers once it has. */
export type Unfinished = Readonly<v.InferOutput<typeof unfinished>>;

/** What is stored of a forgotten person. */
export const tombstone = v.object({
  w: v.string(),
  forgotten: v.pipe(v.string(), v.check(isStamp)),
  unfinished: v.nullable(unfinished),
});

/** What is left of a forgotten person, for ever: an ordinal is never given again. */
export interface Tombstone {
  readonly kind: 'forgotten';
  /** Records accepted by then are of the person who was forgotten. */
  readonly stamp: Stamp;
  /** Null once everything is removed. */
  readonly unfinished: Unfinished | null;
  readonly w: string;
}

/** The tombstone of a stored item. */
export const tombstoneOf = ({
  w,
  forgotten,
  unfinished: rest,
}: v.InferOutput<typeof tombstone>): Tombstone => ({
  kind: 'forgotten',
  stamp: forgotten,
  unfinished: rest,
  w,
});

/** Attributes that make a profile's item a tombstone: of the person nothing stays in it. */
export const tombstoneItem = (stamp: Stamp, rest: Unfinished | null): Attributes => ({
  state: null,
  updated_at: null,
  trace: null,
  forgotten: stamp,
  unfinished: rest && { ...rest, claims: rest.claims.map(({ pk, sk }) => ({ pk, sk })) },
});
