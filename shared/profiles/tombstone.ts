/** Tombstone: replaces the item of a forgotten person (a permanent soft delete), and tracks the rest of the removal. */
import * as v from 'valibot';
import { described } from '../http/described.ts';
import { keys } from '../table/keys.ts';
import type { Attributes, Write } from '../table/table.ts';
import { pushVarint, VarintReader } from '../runtime/varint.ts';
import { isStamp, NEVER, type HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import { storedWithdrawals } from './contribution.ts';

const count = (sentence: string) => described(sentence, v.pipe(v.number(), v.integer()));

/** The number of removed items of each kind. */
export const removedSchema = v.object({
  attributes: count('Fields with a value, without identities.'),
  identities: count('Identities: e-mail addresses, social ids and the `unique_id`.'),
  extra_data: count('Names in `extra_data`.'),
  tags: count('Tags.'),
  social_likes: count('Liked pages.'),
  sources: count('Source labels.'),
  consent: count('Channels with a statement of consent.'),
  segments: count('Segments that the person left, without the segment of everyone.'),
  moments: count('Moments of timelines that the person left.'),
});
export type Removed = Readonly<v.InferOutput<typeof removedSchema>>;

const unfinished = v.object({
  /** Keys of the claims of the person's identities. */
  claims: v.array(v.object({ pk: v.string(), sk: v.string() })),
  /** Keys of the pointers to the person: at first these were from phone numbers only. */
  phones: v.array(v.object({ pk: v.string(), sk: v.string() })),
  /** Encoded ids of the segments that may contain the person. The finishing step looks up moments itself. */
  segments: v.instance(Uint8Array),
  removed: removedSchema,
  /** What the person had withdrawn: the freed claims keep it. Tombstones of 0.2.0 lack it. */
  withdrawn: v.optional(storedWithdrawals, []),
});

/** The remaining work of a forgetting, and its response. */
export type Unfinished = Readonly<v.InferOutput<typeof unfinished>>;

/**
 * Encodes ids in a few bytes each, so that a tombstone with tens of thousands of ids fits one item. Their order is
 * lost.
 */
export const encodeIds = (ids: readonly number[]): Uint8Array<ArrayBuffer> => {
  const bytes: number[] = [];
  let before = 0;
  for (const id of ids.toSorted((a, b) => a - b)) {
    pushVarint(bytes, id - before);
    before = id;
  }
  return Uint8Array.from(bytes);
};

/** Decodes the ids; throws when the bytes are broken. */
export const decodeIds = (bytes: Uint8Array): readonly number[] => {
  const reader = new VarintReader(bytes, 0);
  const ids: number[] = [];
  while (!reader.done) ids.push((ids.at(-1) ?? 0) + reader.next());
  return ids;
};

/** A tombstone as stored. */
export const tombstone = v.object({
  w: v.string(),
  forgotten: v.pipe(v.string(), v.check(isStamp)),
  unfinished: v.nullable(unfinished),
});

/** A tombstone. It is permanent, because an ordinal is never reused. */
export interface Tombstone {
  readonly kind: 'forgotten';
  /** Records accepted up to this time belong to the forgotten person. */
  readonly stamp: HybridTimestamp;
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

/** Attributes that turn a profile item into a tombstone. No personal data stays in the item. */
export const tombstoneItem = (stamp: HybridTimestamp, rest: Unfinished | null): Attributes => ({
  state: null,
  created: null,
  updated_at: null,
  trace: null,
  phones: null,
  pointers: null,
  forgotten: stamp,
  unfinished: rest && {
    ...rest,
    claims: rest.claims.map(({ pk, sk }) => ({ pk, sk })),
    phones: rest.phones.map(({ pk, sk }) => ({ pk, sk })),
    withdrawn: rest.withdrawn.map(({ channel, datetime }) => ({ channel, datetime })),
  },
});

/** Closes an ordinal that has no item with a tombstone of nobody: whoever is about to store a profile there is refused. */
export const closing = (property: number, ordinal: number): Write => ({
  kind: 'insert',
  key: keys.profile(property, ordinal),
  set: tombstoneItem(NEVER, null),
});
