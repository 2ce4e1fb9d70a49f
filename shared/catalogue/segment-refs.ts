/** Segment references: requests name a segment by its id, or by its type and name, which resolve to the id. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { described } from '../http/described.ts';
import { isObject } from '../http/json.ts';
import { unknownReference, type ProblemError } from '../http/problem.ts';
import { plural } from '../http/schema-places.ts';
import { idSchema, pointerOf } from '../http/text.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { foldName, segmentName } from './identity.ts';
import { segmentTypes, type Segment } from './types.ts';
import { pagesOf, type Listed } from '../runtime/pages.ts';
import { firstOf } from '../runtime/shortened.ts';

/** The type and the name of a segment, as `GET segments` shows them. */
export const namedSegment = v.strictObject({
  type: described('The type of the segment.', v.picklist(segmentTypes)),
  name: described(
    'The name of the segment, ignoring case. If several names differ only in case, the one with the same case is meant.',
    v.pipe(v.string(), v.minLength(1), v.maxLength(limits.segments.refNameLength)),
  ),
});
export type NamedSegment = v.InferOutput<typeof namedSegment>;

/** The part of the catalogue that finds segments by name, page by page. */
interface SegmentsByName {
  find(
    property: number,
    name: string,
    place: { readonly after?: number | undefined; readonly limit: number },
  ): Promise<Listed<Segment, number>>;
}

/** A segment in a request. */
export type SegmentRef = number | NamedSegment;

const expected = 'Must be a segment id, or an object like {"type": "tag", "name": "Jazz"}.';
const byId = v.pipe(v.number(expected), idSchema);
const either = v.union([idSchema, namedSegment]);

/** The schema of a segment in a request. A fault points at its exact place. */
export const segmentRef: v.GenericSchema<SegmentRef> = v.pipe(
  v.lazy((input) => {
    if (input === undefined) return either;
    return isObject(input) ? namedSegment : byId;
  }),
  plural('segment ids'),
);

/** A reference and its place in the body. */
export interface PlacedRef {
  readonly ref: SegmentRef;
  readonly path: readonly (string | number)[];
}

/** Finds the segments that a request may name by their ids. */
type KnownAmong = (ids: readonly number[]) => Promise<{ readonly has: (id: number) => boolean }>;

/**
 * Resolves references into ids, in the order of the references. Names are compared without case; a segment whose name
 * has the same case comes first. Faults: a name that no segment of the type has, or that several segments have. An
 * unknown id is a fault beside others; without a fault of a name, the caller looks the ids up.
 */
export const resolveRefs = async (
  catalogue: SegmentsByName,
  property: number,
  refs: readonly PlacedRef[],
  knownAmong?: KnownAmong,
): Promise<Result<readonly number[], readonly ProblemError[]>> => {
  const names = new Map(
    refs.flatMap(({ ref }) => (typeof ref === 'number' ? [] : [[foldName(ref.name), ref.name] as const])),
  );
  if (names.size > limits.segments.refNames) return err([tooManyNames(refs)]);
  const byName = new Map<string, readonly Segment[]>();
  for (const [key, name] of names) byName.set(key, await segmentsNamed(catalogue, property, name));
  const faults: ProblemError[] = [];
  const ids = refs.map(({ ref, path }) => {
    if (typeof ref === 'number') return ref;
    const found = byName.get(foldName(ref.name)) ?? [];
    const [segment, ...others] = bestOf(ref, found);
    if (segment && others.length === 0) return segment.id;
    faults.push({ pointer: pointerOf(path), ...faultOf(ref, segment ? [segment, ...others] : [], found) });
    return 0;
  });
  if (faults.length === 0) return ok(ids);
  const known = await knownAmong?.(refs.flatMap(({ ref }) => (typeof ref === 'number' ? [ref] : [])));
  const unknown = refs.flatMap(({ ref, path }) =>
    typeof ref === 'number' && known?.has(ref) === false
      ? [unknownReference(pointerOf(path), { kind: 'segment', id: ref })]
      : [],
  );
  return err([...faults, ...unknown]);
};

/** All segments with a name, of every type. */
const segmentsNamed = async (
  catalogue: SegmentsByName,
  property: number,
  name: string,
): Promise<readonly Segment[]> => {
  const found: Segment[] = [];
  const read = (after: number | undefined) =>
    catalogue.find(property, name, { limit: limits.http.pageMax, after });
  for await (const segments of pagesOf(read)) found.push(...segments);
  return found;
};

/** The segments that a reference may mean. */
const bestOf = ({ type, name }: NamedSegment, found: readonly Segment[]): readonly Segment[] => {
  const ofType = found.filter((segment) => segment.type === type);
  const exact = ofType.filter((segment) => segment.name === segmentName(name));
  return exact.length > 0 ? exact : ofType;
};

/** Candidates that a fault lists, and the most characters of the name of each. */
const CANDIDATES = 5;
const SHOWN_LENGTH = 100;

const faultOf = (
  { type }: NamedSegment,
  candidates: readonly Segment[],
  found: readonly Segment[],
): Omit<ProblemError, 'pointer'> => {
  if (candidates.length > 1) {
    const detail = `Several ${type} segments have this name: ${listed(candidates)}. Send the id of one.`;
    return { code: 'several_segments', detail };
  }
  const others = found.length === 0 ? '' : ` Segments with this name are ${listed(found)}.`;
  return { code: 'unknown_reference', detail: `There is no ${type} segment with this name.${others}` };
};

const listed = (segments: readonly Segment[]): string =>
  firstOf(segments, CANDIDATES, ({ id, type, path, name }) => {
    const place = [...path, name].join(' / ').slice(0, SHOWN_LENGTH);
    return `${id} (${type}: ${place})`;
  });

/** The fault stands at the first name beyond the bound. */
const tooManyNames = (refs: readonly PlacedRef[]): ProblemError => {
  const named = refs.filter(({ ref }) => typeof ref !== 'number');
  return {
    pointer: pointerOf(named[limits.segments.refNames]?.path ?? []),
    code: 'too_many_names',
    detail: `One request may name at most ${limits.segments.refNames} segments by name; send ids for the others.`,
  };
};
