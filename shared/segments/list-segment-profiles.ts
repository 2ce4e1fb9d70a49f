import type { UseCase } from '../http/api-types.ts';
import { notFound } from '../http/not-found.ts';
import { err, ok } from '../runtime/result.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { readProfilePage, type ProfilePageDeps } from '../membership/profile-pages.ts';
import type { SegmentProfilesQuery } from './schemas.ts';
import { expand } from '../catalogue/segment-items.ts';
import type { SegmentExpression } from '../catalogue/types.ts';

export interface SegmentProfilesDeps extends ProfilePageDeps {
  readonly catalogue: SegmentCatalogue;
}

/**
 * A page of the profiles in a segment. 404 for a segment of another property, 400 for a UUID that the property never
 * issued.
 */
export const listSegmentProfiles: UseCase<SegmentProfilesDeps, SegmentProfilesQuery> = async (
  deps,
  { property, path, query, now },
) => {
  const segment = Number(path['segment_id']);
  const wanted = query.not === undefined ? [segment] : [segment, query.not];
  // The page needs the scope, which a process reads once.
  const [known] = await Promise.all([deps.catalogue.getMany(property.id, wanted), deps.scopeOf(property.id)]);
  const unknown = wanted.find((id) => !known.has(id));
  if (unknown !== undefined)
    return err(notFound('segment', { property, path: { segment_id: String(unknown) } }));
  const page = await readProfilePage(deps, {
    property: property.id,
    expression: expand(expressionOf(segment, query.not), known),
    query,
    path: segmentProfilesPath(property.id, segment),
    kept: query.not === undefined ? '' : `&not=${query.not}`,
    now,
  });
  if (!page.ok) return page;
  const { profiles, paging } = page.value;
  return ok({ status: 200, body: { paging, profiles: profiles.map(({ profile }) => profile) } });
};

/** The path of the profiles of a segment. */
export const segmentProfilesPath = (property: number, segment: number): string =>
  `/v2/properties/${property}/segments/${segment}/profiles`;

const expressionOf = (segment: number, not: number | undefined): SegmentExpression =>
  not === undefined ? segment : { all: [segment, { not }] };
