import { limits } from '../config/limits.ts';
import type { NoQuery, UseCase } from '../http/api-types.ts';
import { problems } from '../http/problem.ts';
import { profileViews, type ReadProfiles, type ShownProfile } from '../profiles/profile-repository.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { isoTime } from '../runtime/clock.ts';
import { err, ok } from '../runtime/result.ts';
import type { Table } from '../table/table.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { idsIn } from '../catalogue/definition.ts';
import { countMembers } from '../membership/read-members.ts';
import { readMemberPage } from '../membership/member-page.ts';
import { resolveDefinition } from './resolve-definition.ts';
import type { PreviewBody } from './schemas.ts';

export interface PreviewDeps {
  readonly table: Table;
  readonly catalogue: Pick<SegmentCatalogue, 'find' | 'getMany'>;
  readonly readProfiles: ReadProfiles;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
}

/**
 * `POST segments/preview`: the exact number of profiles in a definition, and the first of them. Stores nothing, so the audit
 * log names these people and the segments of the definition. 422 for a definition that is too expensive to count.
 */
export const previewSegment: UseCase<PreviewDeps, NoQuery, PreviewBody> = async (
  deps,
  { property, body, now },
) => {
  const resolved = await resolveDefinition(deps, property.id, body.definition);
  if (!resolved.ok) return err(problems.invalid(resolved.error));
  const members = { property: property.id, expression: resolved.value.members };
  const scope = await deps.scopeOf(property.id);
  const show = (profiles: readonly ShownProfile[]) =>
    profileViews(profiles, scope).map((shown) => ({ shown, bytes: 0 }));
  // The cost check above bounds the walk as well.
  const queries = Number.POSITIVE_INFINITY;
  const wanted = {
    from: 0,
    limit: limits.segments.previewProfiles,
    bytes: limits.http.pageBytes,
    queries,
  };
  const [{ profiles }, count] = await Promise.all([
    readMemberPage({ ...deps, show }, members, wanted),
    countMembers(deps.table, members),
  ]);
  const audited = {
    profile_uuids: profiles.flatMap(({ profile_uuid }) => profile_uuid ?? []),
    segment_ids: idsIn(resolved.value.definition).map(({ id }) => id),
  };
  return ok({ status: 200, audited, body: { count, as_of: isoTime(now), sample: profiles } });
};
