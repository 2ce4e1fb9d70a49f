import { unknownReferences, type ProblemError } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import type { CollectionRepository } from '../collections/repository.ts';
import type { SegmentCatalogue } from '../segments/catalogue.ts';
import { thingsAmong } from '../segments/resolve-definition.ts';
import { expand, type Target } from '../segments/target.ts';
import type { Thing } from '../uses/uses.ts';
import type { ExportDefinition } from './items.ts';
import type { ExportBody } from './schemas.ts';

/** What looking up targets needs. */
export interface TargetDeps {
  readonly catalogue: Pick<SegmentCatalogue, 'getMany'>;
  readonly collections: Pick<CollectionRepository, 'getMany'>;
}

/** The segments and collections that a definition names, each once; `things` are those that could be deleted. */
export interface NamedTargets extends Pick<ExportDefinition, 'segment' | 'collection'> {
  readonly things: readonly Thing[];
}

/** Looks up what is to be exported; or a fault for each id that is unknown. */
export const findTargets = async (
  { catalogue, collections }: TargetDeps,
  property: number,
  body: Pick<ExportBody, 'segment' | 'collection'>,
): Promise<Result<NamedTargets, readonly ProblemError[]>> => {
  const [segment, collection] = [body.segment ?? [], body.collection ?? []];
  const segments = await catalogue.getMany(property, segment);
  const named = await collections.getMany(property, collection);
  const unknown = [
    ...unknownReferences('segment', segment, (id) => segments.has(id)),
    ...unknownReferences('collection', collection, (id) => named.has(id)),
  ];
  if (unknown.length > 0) return err(unknown);
  const held = [...named.keys()].map((id): Thing => ({ kind: 'collection', id }));
  const things = [...thingsAmong(segments.values()), ...held];
  return ok({ segment: [...new Set(segment)], collection: [...new Set(collection)], things });
};

/** Faults of targets that were deleted before the definition was stored. */
export const goneTargets = (
  { segment, collection }: Pick<ExportBody, 'segment' | 'collection'>,
  gone: readonly Thing[],
): readonly ProblemError[] => {
  const isThere = (kind: Thing['kind']) => (id: number) =>
    !gone.some((thing) => thing.kind === kind && thing.id === id);
  return [
    ...unknownReferences('segment', segment ?? [], isThere('segment')),
    ...unknownReferences('collection', collection ?? [], isThere('collection')),
  ];
};

/** Whom a definition exports now: everybody in any of its segments, and of those that its collections hold. */
export const targetOf = async (
  { catalogue, collections }: TargetDeps,
  { property, segment, collection }: Pick<ExportDefinition, 'property' | 'segment' | 'collection'>,
): Promise<Target> => {
  const held = [...(await collections.getMany(property, collection)).values()];
  const any = [...new Set([...segment, ...held.flatMap(({ segments }) => segments)])];
  return expand({ any }, await catalogue.getMany(property, any));
};
