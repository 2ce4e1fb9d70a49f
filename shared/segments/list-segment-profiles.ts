import { limits } from '../../lib/config/limits.ts';
import type { UseCase } from '../http/api-types.ts';
import { problems } from '../http/problem.ts';
import { toReturned } from '../profiles/repository.ts';
import type { PropertyScope, ReturnedProfile, SurfacedProfile } from '../profiles/types.ts';
import { openUuid, sealOrdinal } from '../profiles/uuid.ts';
import { err, ok } from '../runtime/result.ts';
import type { Table } from '../table/table.ts';
import type { SegmentCatalogue } from './catalogue.ts';
import type { ReadProfiles } from './membership.ts';
import { readPage, type MemberPage } from './page.ts';
import type { SegmentProfilesQuery } from './schemas.ts';
import { expand, type Target } from './target.ts';

/** What paging through a segment needs. `baseUrl` is the configured address of the service. */
export interface SegmentProfilesDeps {
  readonly table: Table;
  readonly catalogue: SegmentCatalogue;
  readonly readProfiles: ReadProfiles;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly baseUrl: string;
}

/** A page of a segment's profiles. 404 for a segment that is not the property's, 400 for a UUID that it never issued. */
export const listSegmentProfilesUseCase =
  (deps: SegmentProfilesDeps): UseCase<SegmentProfilesQuery, undefined> =>
  async ({ property, path, query }) => {
    const segment = Number(path['segment_id']);
    const wanted = query.not === undefined ? [segment] : [segment, query.not];
    const known = await deps.catalogue.getMany(property.id, wanted);
    if (!wanted.every((id) => known.has(id))) return err(problems.notFound());
    const scope = await deps.scopeOf(property.id);
    const from = query.page === undefined ? 0 : openUuid(scope.keys.uuid, query.page);
    const before = query.before === undefined ? undefined : openUuid(scope.keys.uuid, query.before);
    if (from === undefined) return err(notOurs('page'));
    if (query.before !== undefined && before === undefined) return err(notOurs('before'));
    const limit = query.limit ?? limits.http.pageDefault;
    const page = await readPage(
      { ...deps, show: (profile: SurfacedProfile) => sized(toReturned(profile, scope)) },
      { property: property.id, target: expand(targetOf(segment, query.not), known) },
      { from, before, limit, bytes: limits.http.pageBytes },
    );
    return ok({ status: 200, body: envelope({ ...deps, scope }, { ...query, segment, limit }, page) });
  };

const notOurs = (parameter: string) =>
  problems.badRequest('The query has unknown or malformed parameters.', [
    {
      pointer: `/${parameter}`,
      code: 'unknown_profile',
      detail: 'Must be the UUID of a profile of this property.',
    },
  ]);

const targetOf = (segment: number, not: number | undefined): Target =>
  not === undefined ? segment : { all: [segment, { not }] };

/** Bytes of a profile in the answer, with the comma behind it. */
const sized = (shown: ReturnedProfile): { shown: ReturnedProfile; bytes: number } => ({
  shown,
  bytes: Buffer.byteLength(JSON.stringify(shown)) + 1,
});

interface Asked extends SegmentProfilesQuery {
  readonly segment: number;
  readonly limit: number;
}

const envelope = (
  { scope, baseUrl }: { readonly scope: PropertyScope; readonly baseUrl: string },
  { segment, limit, not }: Asked,
  { profiles, next, previous }: MemberPage<ReturnedProfile>,
) => {
  const uuid = (ordinal: number): string => sealOrdinal(scope.keys.uuid, ordinal);
  const kept = not === undefined ? '' : `&not=${not}`;
  const link = (place: string): string =>
    `${baseUrl}/v2/properties/${scope.id}/segments/${segment}/profiles?limit=${limit}&${place}${kept}`;
  return {
    paging: {
      next_page: next === undefined ? null : link(`page=${uuid(next)}`),
      previous_page: previous ? link(`page=${uuid(previous.from)}&before=${uuid(previous.before)}`) : null,
      next_page_uuid: next === undefined ? null : uuid(next),
      previous_page_uuid: previous ? uuid(previous.from) : null,
      count: profiles.length,
    },
    profiles,
  };
};
