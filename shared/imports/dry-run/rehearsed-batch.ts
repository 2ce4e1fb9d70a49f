/** Rehearsed batch: what a dry run found in one batch, as an object of the work bucket. */
import { gunzipSync, gzipSync } from 'node:zlib';
import * as v from 'valibot';
import type { SegmentCatalogue } from '../../catalogue/catalogue.ts';
import { identityKey } from '../../catalogue/identity.ts';
import { segmentTypes, type SegmentIdentity } from '../../catalogue/types.ts';
import type { Findings } from '../../ingest/rehearsal.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { missingSegments, segmentHash } from '../guards/segment-set.ts';

const rehearsedBatch = v.object({
  /** Warnings of its rows. */
  warnings: v.number(),
  /** The segments that the property has not got: hash, type and name. */
  segments: v.array(v.tuple([v.string(), v.picklist(segmentTypes), v.string()])),
  /** For each person: ordinal, whether changed, and indexes into `segments` of those that no record makes alone. */
  people: v.array(v.tuple([v.nullable(v.number()), v.boolean(), v.array(v.number())])),
  /**
   * For each record in the order of rows: index of the person, unique id, identities with their stored owner, and indexes
   * into `segments`.
   */
  records: v.array(
    v.tuple([
      v.number(),
      v.nullable(v.string()),
      v.array(v.tuple([v.string(), v.nullable(v.number())])),
      v.array(v.number()),
    ]),
  ),
  /** The unique id of each stored owner. */
  owners: v.array(v.tuple([v.number(), v.nullable(v.string())])),
});
const stored = v.pipe(v.string(), v.parseJson(), rehearsedBatch);

/** What a dry run found in one batch. It holds no value of a person but the names of new segments. */
export type RehearsedBatch = Readonly<v.InferOutput<typeof rehearsedBatch>>;

/** Describes the people of a batch, with those of their segments that the property has not got. */
export const rehearsedBatchOf = async (
  catalogue: Pick<SegmentCatalogue, 'findIds'>,
  property: number,
  { people, records, owners }: Findings,
  warnings: number,
): Promise<RehearsedBatch> => {
  const all = new Map<string, SegmentIdentity>();
  for (const person of people) for (const [key, identity] of person.segments) all.set(key, identity);
  const missing = await missingSegments(catalogue, property, [...all.values()]);
  const places = new Map(missing.map((identity, index) => [identityKey(identity), index]));
  const placesOf = (segmentKeys: Iterable<string>): number[] =>
    [...segmentKeys].flatMap((key) => places.get(key) ?? []);
  const made = new Map<number, Set<string>>();
  for (const { person, segments } of records) {
    const keys = made.get(person) ?? new Set();
    for (const key of segments) keys.add(key);
    made.set(person, keys);
  }
  return {
    warnings,
    segments: missing.map((identity) => [segmentHash(identity), identity.type, identity.name]),
    people: people.map(({ ordinal, isChanged, segments }, index) => {
      const alone = made.get(index);
      return [ordinal, isChanged, placesOf([...segments.keys()].filter((key) => !alone?.has(key)))];
    }),
    records: records.map(({ person, uniqueId, identities, segments }) => [
      person,
      uniqueId,
      identities.map(({ hash, owner }) => [hash, owner]),
      placesOf(segments),
    ]),
    owners: [...owners],
  };
};

/** Stores what a dry run found in a batch. */
export const writeRehearsed = async (
  work: Pick<ObjectStore, 'put'>,
  key: string,
  batch: RehearsedBatch,
): Promise<string> => {
  await work.put(key, gzipSync(JSON.stringify(batch)), { contentType: 'application/gzip' });
  return key;
};

/** Reads what a dry run found in a batch; `undefined` when it is no longer kept: it was stored before the result. */
export const readRehearsed = async (
  work: Pick<ObjectStore, 'get'>,
  key: string,
): Promise<RehearsedBatch | undefined> => {
  const bytes = await work.get(key);
  return bytes && v.parse(stored, gunzipSync(bytes).toString('utf8'));
};
