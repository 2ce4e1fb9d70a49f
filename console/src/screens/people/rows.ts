/** The values of a person as rows: one a field, with the value that counts and those that lost. */
import { identityFields, provenanceOf, type Known, type Value } from './known.ts';

/** A field with its values. */
export interface Row {
  readonly key: string;
  /** The field by its name in the API, or the name of a value of the reader's own. */
  readonly name: string;
  readonly isOwn: boolean;
  /** The value that lookups show; none if all are erased. */
  readonly shown: Value | undefined;
  readonly lost: readonly Value[];
}

const rowsOf = (values: Readonly<Record<string, readonly Value[]>>, isOwn: boolean): readonly Row[] =>
  Object.entries(values).map(([name, stored]) => ({
    key: `${isOwn ? 'own' : 'field'}:${name}`,
    name,
    isOwn,
    shown: stored.find(({ won }) => won),
    lost: stored.filter(({ won }) => !won),
  }));

const identities: ReadonlySet<string> = new Set(identityFields);

/** Fields that a reader looks for first. */
const leading = ['full_name', 'first_name', 'last_name', 'phone_number', 'birthday', 'age', 'gender'];
const address = ['street', 'street2', 'zipcode', 'city', 'state', 'country'];

const rankOf = (name: string): number => {
  const at = [...leading, ...address].indexOf(name);
  return at < 0 ? leading.length + address.length : at;
};

/** The rows of a person without identities: fields of the service first, then the reader's own. */
export const valueRows = (known: Known): readonly Row[] => {
  const { fields, extra_data } = provenanceOf(known);
  return [
    ...rowsOf(fields, false)
      .filter(({ name }) => !identities.has(name))
      .toSorted((one, other) => rankOf(one.name) - rankOf(other.name)),
    ...rowsOf(extra_data, true),
  ];
};

/** Why a value does not count. */
export type Defeat = 'erased' | 'trust' | 'older';

/** Why a value lost against the one that is shown. */
export const defeatOf = (value: Value, shown: Value | undefined): Defeat => {
  if (value.value === null) return 'erased';
  return shown !== undefined && shown.tier !== value.tier ? 'trust' : 'older';
};

/** A tag with its times, the newest first. */
export interface TagRow {
  readonly tag: string;
  /** The newest time, in UTC. */
  readonly last: string;
  readonly times: number;
}

/** Compares times so that the newest is first. */
const newestFirst = (one: string, other: string): number => Number(one < other) - Number(one > other);

/** The tags of a person, each once, the newest first. */
export const tagRows = ({ tags = [] }: Known): readonly TagRow[] => {
  const rows = new Map<string, TagRow>();
  for (const { tag, datetime } of tags) {
    const row = rows.get(tag);
    const last = row !== undefined && row.last > datetime ? row.last : datetime;
    rows.set(tag, { tag, last, times: (row?.times ?? 0) + 1 });
  }
  return [...rows.values()].toSorted((one, other) => newestFirst(one.last, other.last));
};

/** A tag that the person has no more, and the newest removal of it. */
export interface RemovedTag {
  readonly tag: string;
  readonly source: string;
  readonly stamp: string;
}

/** The tags that records took away and that the person did not get again, the last removal first. */
export const removedTags = (known: Known): readonly RemovedTag[] => {
  const has = new Set(known.tags?.map(({ tag }) => tag));
  const rows = new Map<string, RemovedTag>();
  for (const { tag, source, stamp } of provenanceOf(known).removed_tags)
    if (!has.has(tag) && (rows.get(tag)?.stamp ?? '') < stamp) rows.set(tag, { tag, source, stamp });

  return [...rows.values()].toSorted((one, other) => newestFirst(one.stamp, other.stamp));
};

/** What a forgetting erases of a person, as the service counts it. Moments of timelines are not known before. */
export const erasedOf = (known: Known): Readonly<Record<ErasedKind, number>> => {
  const { fields } = provenanceOf(known);
  const own = new Set(['everyone', 'custom', 'moment']);
  const counted = Object.entries(fields).filter(
    ([name, values]) => !identities.has(name) && values.some(({ value }) => value !== null),
  );
  return {
    identities: identityFields.flatMap((field) => fields[field] ?? []).length,
    attributes: counted.length,
    extra_data: Object.keys(known.extra_data ?? {}).length,
    tags: known.tags?.length ?? 0,
    social_likes: known.social_likes?.length ?? 0,
    sources: known.sources?.length ?? 0,
    consent: known.consent?.length ?? 0,
    segments: (known.segments ?? []).filter(({ type }) => !own.has(type)).length,
  };
};

/** What a forgetting counts, in the order in which a reader meets it. */
export const erasedKinds = [
  'identities',
  'attributes',
  'extra_data',
  'tags',
  'social_likes',
  'sources',
  'consent',
  'segments',
] as const;

/** A kind of things that a forgetting erases. */
export type ErasedKind = (typeof erasedKinds)[number];
