import { limits } from '../../config/limits.ts';
import { unknownReferences, type ProblemError } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { CollectionRepository } from '../../collections/repository.ts';
import type { SegmentCatalogue } from '../../catalogue/catalogue.ts';
import { referentsAmong } from '../../catalogue/custom-items.ts';
import { expand } from '../../catalogue/expression.ts';
import type { Segment, SegmentExpression } from '../../catalogue/types.ts';
import type { Referent } from '../../references/references.ts';
import type { ExportDefinition } from './items.ts';
import type { ExportBody } from './schemas.ts';

/** What looking up targets needs. */
export interface TargetDeps {
  readonly catalogue: Pick<SegmentCatalogue, 'getMany' | 'list'>;
  readonly collections: Pick<CollectionRepository, 'getMany'>;
}

/** The segments and collections that a definition names, each once; `things` are those that could be deleted. */
export interface NamedTargets extends Pick<ExportDefinition, 'segment' | 'collection' | 'tile_types'> {
  readonly referents: readonly Referent[];
}

/** Looks up what is to be exported; or a fault for each id that is unknown. */
export const findTargets = async (
  { catalogue, collections }: TargetDeps,
  property: number,
  body: Pick<ExportBody, 'segment' | 'collection' | 'tile_types'>,
): Promise<Result<NamedTargets, readonly ProblemError[]>> => {
  const [segment, collection] = [body.segment ?? [], body.collection ?? []];
  const segments = await catalogue.getMany(property, segment);
  const named = await collections.getMany(property, collection);
  const unknown = [
    ...unknownReferences('segment', segment, (id) => segments.has(id)),
    ...unknownReferences('collection', collection, (id) => named.has(id)),
  ];
  if (unknown.length > 0) return err(unknown);
  const tile_types = [...new Set(body.tile_types ?? [])];
  const typed = await segmentsOfTypes(catalogue, property, tile_types);
  const all = new Map([...segments, ...typed.map((one) => [one.id, one] as const)]);
  if (all.size > limits.exports.planNodes) return err([tooManySegments]);
  const held = [...named.keys()].map((id): Referent => ({ kind: 'collection', id }));
  const referents = [...referentsAmong(all.values()), ...held];
  const ids = [...new Set([...segment, ...all.keys()])];
  return ok({ segment: ids, collection: [...new Set(collection)], tile_types, referents });
};

const tooManySegments: ProblemError = {
  pointer: '/tile_types',
  code: 'too_many_segments',
  detail: `The property has more than ${limits.exports.planNodes} segments of these types.`,
};

/** All segments of some types that the property has now, up to one more than an export may have. */
const segmentsOfTypes = async (
  catalogue: TargetDeps['catalogue'],
  property: number,
  types: readonly string[],
): Promise<readonly Segment[]> => {
  const found: Segment[] = [];
  let after: number | undefined;
  if (types.length === 0) return found;
  do {
    const page = await catalogue.list(property, { limit: SEGMENTS_PER_PAGE, after });
    found.push(...page.segments.filter(({ type }) => types.includes(type)));
    after = page.next;
  } while (after !== undefined && found.length <= limits.exports.planNodes);
  return found;
};

const SEGMENTS_PER_PAGE = 1_000;

/** Faults of targets that were deleted before the definition was stored. */
export const deletedTargetFaults = (
  { segment, collection }: Pick<ExportBody, 'segment' | 'collection'>,
  gone: readonly Referent[],
): readonly ProblemError[] => {
  const isThere = (kind: Referent['kind']) => (id: number) =>
    !gone.some((thing) => thing.kind === kind && thing.id === id);
  return [
    ...unknownReferences('segment', segment ?? [], isThere('segment')),
    ...unknownReferences('collection', collection ?? [], isThere('collection')),
  ];
};

/** Whom a definition exports now. */
export interface ExportTarget {
  /** Everybody in any of its segments, and of those that its collections hold. */
  readonly target: SegmentExpression;
  /** Those segments, each as a target of its own. */
  readonly segments: readonly { readonly id: number; readonly target: SegmentExpression }[];
}

/** Looks up whom a definition exports now. */
export const resolveTarget = async (
  { catalogue, collections }: TargetDeps,
  { property, segment, collection }: Pick<ExportDefinition, 'property' | 'segment' | 'collection'>,
): Promise<ExportTarget> => {
  const held = [...(await collections.getMany(property, collection)).values()];
  const any = [...new Set([...segment, ...held.flatMap(({ segments }) => segments)])];
  const known = await catalogue.getMany(property, any);
  return {
    target: expand({ any }, known),
    segments: any.map((id) => ({ id, target: expand(id, known) })),
  };
};
