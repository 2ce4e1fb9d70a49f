/** Targets: resolves the segments and collections that an export names, and keeps references to them. */
import type { SegmentCatalogue } from '../../catalogue/catalogue.ts';
import { expand } from '../../catalogue/segment-items.ts';
import { consentSegment, isPreparing, referentsAmong } from '../../catalogue/identity.ts';
import { resolveRefs } from '../../catalogue/segment-refs.ts';
import type { Segment, SegmentExpression } from '../../catalogue/types.ts';
import type { CollectionRepository } from '../../collections/repository.ts';
import { limits } from '../../config/limits.ts';
import { unknownReferences, type ProblemError } from '../../http/problem.ts';
import {
  referenceWrites,
  type DeletedReferents,
  type Referent,
  type ReferenceDeps,
} from '../../references/references.ts';
import { DAY_MS, ttlAt } from '../../runtime/clock.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { Write } from '../../table/table.ts';
import type { ExportDefinition } from './items.ts';
import type { ExportBody } from './schemas.ts';
import { pagesOf } from '../../runtime/pages.ts';

export interface TargetDeps {
  readonly catalogue: Pick<SegmentCatalogue, 'getMany' | 'list'>;
  readonly collections: Pick<CollectionRepository, 'getMany'>;
}

/** The segments and collections that a definition names, each once; a client may delete the `referents` among them. */
export interface NamedTargets extends Pick<ExportDefinition, 'segment' | 'collection' | 'tile_types'> {
  readonly referents: readonly Referent[];
  readonly asked: AskedTargets;
}

/** Targets by id, by their places in the request. */
interface AskedTargets extends Pick<ExportBody, 'tile_types'> {
  readonly segment: readonly number[];
  readonly collection: readonly number[];
}

/** Looks up the targets of a body; or returns a fault for each unknown id, and each name that is not one segment's. */
export const findNamedTargets = async (
  deps: TargetDeps & { readonly catalogue: Pick<SegmentCatalogue, 'find'> },
  property: number,
  { segment, collection, tile_types }: Pick<ExportBody, 'segment' | 'collection' | 'tile_types'>,
): Promise<Result<NamedTargets, readonly ProblemError[]>> => {
  const placed = (segment ?? []).map((ref, index) => ({ ref, path: ['segment', index] }));
  const ids = await resolveRefs(deps.catalogue, property, placed, (asked) =>
    deps.catalogue.getMany(property, asked),
  );
  if (!ids.ok) return ids;
  return findTargets(deps, property, { segment: ids.value, collection: collection ?? [], tile_types });
};

const segmentIds = { field: 'segment', kind: 'segment' } as const;
const collectionIds = { field: 'collection', kind: 'collection' } as const;

/** Looks up targets by id; or returns a fault for each unknown id. */
export const findTargets = async (
  { catalogue, collections }: TargetDeps,
  property: number,
  asked: AskedTargets,
): Promise<Result<NamedTargets, readonly ProblemError[]>> => {
  const { segment, collection } = asked;
  const segments = await catalogue.getMany(property, segment);
  const named = await collections.getMany(property, collection);
  const unknown = [
    ...unknownReferences(segmentIds, segment, (id) => segments.has(id)),
    ...unknownReferences(collectionIds, collection, (id) => named.has(id)),
  ];
  if (unknown.length > 0) return err(unknown);
  const tile_types = [...new Set(asked.tile_types ?? [])];
  const typed = await segmentsOfTypes(catalogue, property, tile_types);
  const all = new Map([...segments, ...typed.map((each) => [each.id, each] as const)]);
  if (all.size > limits.exports.planNodes) return err([tooManySegments]);
  const held = [...named.keys()].map((id): Referent => ({ kind: 'collection', id }));
  // A segment that is named by its type only has no reference: it may be deleted while nobody is in it.
  const counted = [...all.values()].filter(({ id, custom }) => segments.has(id) || custom !== undefined);
  const referents = [...referentsAmong(counted), ...held];
  const ids = [...new Set([...segment, ...all.keys()])];
  return ok({ segment: ids, collection: [...new Set(collection)], tile_types, referents, asked });
};

const tooManySegments: ProblemError = {
  pointer: '/tile_types',
  code: 'too_many_segments',
  detail: `The property has more than ${limits.exports.planNodes} segments of these types.`,
};

/** All segments of some types that the property has now. Stops once there are more than an export may have. */
const segmentsOfTypes = async (
  catalogue: TargetDeps['catalogue'],
  property: number,
  types: readonly string[],
): Promise<readonly Segment[]> => {
  const found: Segment[] = [];
  if (types.length === 0) return found;
  const read = (after: number | undefined) => catalogue.list(property, { limit: SEGMENTS_PER_PAGE, after });
  for await (const segments of pagesOf(read)) {
    found.push(...segments.filter((one) => types.includes(one.type) && !isPreparing(one)));
    if (found.length > limits.exports.planNodes) break;
  }
  return found;
};

const SEGMENTS_PER_PAGE = 1_000;

/** The longest time that a job waits and runs; its references last that long. */
const REFERENCE_MS = 2 * limits.workflows.timeoutSeconds * 1_000 + DAY_MS;

/** Longer than the gap between two runs of any schedule. Each run extends the references. */
const SCHEDULED_REFERENCE_MS = 10 * 366 * DAY_MS;

/**
 * The writes of the references of a definition to its targets, for the transaction that stores or runs it; or the faults of
 * a body whose targets were deleted meanwhile.
 */
export const targetWrites = async (
  deps: ReferenceDeps,
  { property, export: id, to_come }: Pick<ExportDefinition, 'property' | 'export' | 'to_come'>,
  { referents, asked }: NamedTargets,
  now: number,
): Promise<Result<readonly Write[], readonly ProblemError[]>> => {
  const ttl = ttlAt(now + (to_come ? SCHEDULED_REFERENCE_MS : REFERENCE_MS));
  const own = { referrer: { kind: 'export', id }, referents, now, ttl } as const;
  const writes = await referenceWrites(deps, property, own);
  return writes.ok ? writes : err(deletedTargetFaults(asked, writes.error));
};

/** Faults of a body whose targets were deleted before the definition was stored. */
const deletedTargetFaults = (
  { segment, collection }: AskedTargets,
  { deleted }: DeletedReferents,
): readonly ProblemError[] => {
  const isKept = (kind: Referent['kind']) => (id: number) =>
    !deleted.some((referent) => referent.kind === kind && referent.id === id);
  return [
    ...unknownReferences(segmentIds, segment, isKept('segment')),
    ...unknownReferences(collectionIds, collection, isKept('collection')),
  ];
};

/** The segments that a definition exports now, as expressions. */
export interface ExportTarget {
  /** Members of any of the segments, those of its collections included, who have the consent of the definition. */
  readonly target: SegmentExpression;
  /** Each of these segments by itself. */
  readonly segments: readonly { readonly id: number; readonly target: SegmentExpression }[];
}

/** Ports that also find the segment of a consent. */
export interface ResolveDeps extends TargetDeps {
  readonly catalogue: Pick<SegmentCatalogue, 'findIds' | 'getMany' | 'hasRoom' | 'list'>;
}

/**
 * Resolves a definition into the segments that it exports now. Fails with `no_consent_segment` if nobody knows who has the
 * consent of the definition.
 */
export const resolveTarget = async (
  { catalogue, collections }: ResolveDeps,
  {
    property,
    segment,
    collection,
    consent,
  }: Pick<ExportDefinition, 'property' | 'segment' | 'collection' | 'consent'>,
): Promise<Result<ExportTarget, 'no_consent_segment'>> => {
  const held = [...(await collections.getMany(property, collection)).values()];
  const any = [...new Set([...segment, ...held.flatMap(({ segments }) => segments)])];
  const known = await catalogue.getMany(property, any);
  const filter = consent && (await membersWith(catalogue, property, consent));
  if (filter === undefined) return err('no_consent_segment');
  const filtered = (target: SegmentExpression) => (filter === null ? target : { all: [target, filter] });
  return ok({
    target: filtered(expand({ any }, known)),
    segments: any.map((id) => ({ id, target: filtered(expand(id, known)) })),
  });
};

/**
 * The people with a consent: the members of its segment. The segment is found by its identity each time, because it
 * exists only while somebody has the consent, and gets a new id when it is created again. A property without the segment
 * has nobody with the consent; or it has had no room for the segment, and then the result is undefined.
 */
const membersWith = async (
  catalogue: ResolveDeps['catalogue'],
  property: number,
  { channel, state }: NonNullable<ExportDefinition['consent']>,
): Promise<SegmentExpression | undefined> => {
  const segment = consentSegment(channel, state);
  const ids = await catalogue.findIds(property, [segment]);
  if (ids.size === 0 && !(await catalogue.hasRoom(property, segment))) return undefined;
  return { any: [...ids.values()] };
};
