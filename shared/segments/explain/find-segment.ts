/** The segment of an explanation: the path has its id, or the query names it. */
import { limits } from '../../config/limits.ts';
import { requireReady, type SegmentCatalogue } from '../../catalogue/catalogue.ts';
import { resolveRefs, type NamedSegment } from '../../catalogue/segment-refs.ts';
import type { Segment } from '../../catalogue/types.ts';
import type { ApiRequest } from '../../http/api-types.ts';
import { didYouMean, nearest } from '../../http/did-you-mean.ts';
import { missing, notFound } from '../../http/not-found.ts';
import { problems, type Problem } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { BY_NAME, type ExplainQuery } from './schemas.ts';
import { pagesOf } from '../../runtime/pages.ts';

export interface FindSegmentDeps {
  readonly catalogue: Pick<SegmentCatalogue, 'get' | 'find' | 'list'>;
}

/**
 * The segment that a request means. 404 for a segment that the property does not have, with a similar name if there is
 * one; 409 for a name of several segments, which the message names; 400 unless the request has either an id or a name. Throws
 * a `PassingRefusal` for a condition that is not ready.
 */
export const findSegment = async (
  { catalogue }: FindSegmentDeps,
  request: Pick<ApiRequest<ExplainQuery, undefined>, 'property' | 'path' | 'query'>,
): Promise<Result<Segment, Problem>> => {
  const { property, path, query } = request;
  const { segment_type: type, segment_name: name } = query;
  if (path['segment_id'] !== BY_NAME) {
    if (type !== undefined || name !== undefined) return err(idAndName);
    const segment = await catalogue.get(property.id, Number(path['segment_id']));
    return segment ? ok(requireReady(segment)) : err(notFound('segment', request));
  }
  if (type === undefined || name === undefined) return err(noName);
  return findNamed(catalogue, property.id, { type, name });
};

const findNamed = async (
  catalogue: FindSegmentDeps['catalogue'],
  property: number,
  ref: NamedSegment,
): Promise<Result<Segment, Problem>> => {
  const found = await resolveRefs(catalogue, property, [{ ref, path: [] }]);
  if (!found.ok) {
    const [fault] = found.error;
    if (fault?.code === 'several_segments') return err(problems.conflict('several_segments', fault.detail));
    return err(missing(`${fault?.detail ?? ''}${await similarTo(catalogue, property, ref)}`));
  }
  const [id = 0] = found.value;
  const segment = await catalogue.get(property, id);
  return segment
    ? ok(requireReady(segment))
    : err(missing(`There is no ${ref.type} segment with this name.`));
};

/** Pages of segments whose names are compared, the oldest first. All names of a property would be too dear for a hint. */
const PAGES_COMPARED = 10;

/** The nearest name of the type, among the nearest of each page. */
const similarTo = async (
  catalogue: FindSegmentDeps['catalogue'],
  property: number,
  { type, name }: NamedSegment,
): Promise<string> => {
  const near: string[] = [];
  let pages = 0;
  const read = (after: number | undefined) => catalogue.list(property, { limit: limits.http.pageMax, after });
  for await (const segments of pagesOf(read)) {
    const names = segments.flatMap((segment) => (segment.type === type ? [segment.name] : []));
    near.push(...[nearest(name, names)].filter((one) => one !== undefined));
    pages += 1;
    if (pages === PAGES_COMPARED) break;
  }
  return didYouMean(name, near);
};

const idAndName = problems.badRequest(
  `Leave out segment_type and segment_name, or write ${BY_NAME} in place of the segment id.`,
);
const noName = problems.badRequest(
  'Send segment_type and segment_name, like segment_type=tag&segment_name=Jazz.',
);
