import * as v from 'valibot';
import type { Attributes } from '../table/table.ts';
import { pushVarint, VarintReader } from '../runtime/varint.ts';
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
  /** Segments that the person may be in, encoded. Moments are looked for when it is finished. */
  segments: v.instance(Uint8Array),
  removed: removedSchema,
});
/** What forgetting a person has still to remove, and what it answers once it has. */
export type Unfinished = Readonly<v.InferOutput<typeof unfinished>>;

/** Encodes ids in a few bytes each, so that a tombstone with tens of thousands of them is an item. Their order is lost. */
export const encodeIds = (ids: readonly number[]): Uint8Array<ArrayBuffer> => {
  const bytes: number[] = [];
  let before = 0;
  for (const id of ids.toSorted((a, b) => a - b)) {
    pushVarint(bytes, id - before);
    before = id;
  }
  return Uint8Array.from(bytes);
};

/** The ids that were encoded; throws when the bytes are broken. */
export const decodeIds = (bytes: Uint8Array): readonly number[] => {
  const reader = new VarintReader(bytes, 0);
  const ids: number[] = [];
  while (!reader.done) ids.push((ids.at(-1) ?? 0) + reader.next());
  return ids;
};

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
