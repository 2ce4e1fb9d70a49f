import { limits } from '../config/limits.ts';
import type { ApiAnswer, ApiRequest, NoQuery, UseCase } from '../http/api-types.ts';
import { problems, type Problem } from '../http/problem.ts';
import { profileViews, type ReadProfiles, type ShownProfile } from '../profiles/profile-repository.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { isoTime } from '../runtime/clock.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import type { Table } from '../table/table.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { idsIn, type SentDefinition } from '../catalogue/definition.ts';
import { everyoneId } from '../catalogue/identity.ts';
import type { SegmentExpression } from '../catalogue/types.ts';
import { countMembers } from '../membership/read-members.ts';
import { readMemberPage } from '../membership/member-page.ts';
import { formOf } from './definition-form.ts';
import { estimatePeople } from './estimate-people.ts';
import { isRule, openDefinition, populationOf, type OpenDefinition } from './preview-definition.ts';
import { costFaults, expandDefinition, resolveDefinition } from './resolve-definition.ts';
import type { PreviewBody } from './schemas.ts';

/** `random` returns numbers from 0 to below 1. */
export interface PreviewDeps {
  readonly table: Table;
  readonly catalogue: Pick<SegmentCatalogue, 'find' | 'getMany'>;
  readonly readProfiles: ReadProfiles;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly random: () => number;
}

type PreviewRequest = ApiRequest<NoQuery, PreviewBody>;

/**
 * `POST segments/preview`: the number of profiles in a definition, and some of them. It is exact for a definition of
 * segments, and an estimate where rules stand that no condition has. Stores nothing, so the audit log names these people and
 * the segments of the definition. 422 for a definition that is too expensive to count.
 */
export const previewSegment: UseCase<PreviewDeps, NoQuery, PreviewBody> = async (deps, request) => {
  const form = formOf(request.body);
  if (!form.ok) return form;
  const open = openDefinition('where' in form.value ? form.value : form.value.definition);
  return open.wheres.length === 0
    ? countExactly(deps, request, open.definition)
    : estimate(deps, request, open);
};

const countExactly = async (
  deps: PreviewDeps,
  { property, now }: PreviewRequest,
  definition: SentDefinition,
): Promise<Result<ApiAnswer, Problem>> => {
  const resolved = await resolveDefinition(deps, property.id, definition);
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
    now,
  };
  const [{ profiles }, count] = await Promise.all([
    readMemberPage({ ...deps, show }, members, wanted),
    countMembers(deps.table, members),
  ]);
  const audited = auditedOf(profiles, resolved.value.definition);
  return ok({ status: 200, audited, body: { count, as_of: isoTime(now), sample: profiles } });
};

const estimate = async (
  deps: PreviewDeps,
  { property, now }: PreviewRequest,
  { definition, wheres }: OpenDefinition,
): Promise<Result<ApiAnswer, Problem>> => {
  const resolved = await expandDefinition(deps, property.id, definition, isRule);
  if (!resolved.ok) return err(problems.invalid(resolved.error));
  const expression = resolved.value.members;
  const population = { property: property.id, expression: withAllSegments(property.id, expression) };
  const faults = await costFaults(deps.table, population);
  if (faults.length > 0) return err(problems.invalid(faults));
  const [scope, { shown, ...found }] = await Promise.all([
    deps.scopeOf(property.id),
    estimatePeople(deps, { expression, wheres, population, now }),
  ]);
  const sample = profileViews(shown, scope);
  const audited = auditedOf(sample, resolved.value.definition);
  return ok({ status: 200, audited, body: { ...found, as_of: isoTime(now), sample } });
};

/** The population of an expression, as an expression with all of its segments: for sets, a or (a and b) is a. */
const withAllSegments = (property: number, expression: SegmentExpression): SegmentExpression => {
  const population = populationOf(expression) ?? everyoneId(property);
  const ids = idsIn(expression).flatMap(({ id }) => (isRule(id) ? [] : [id]));
  return ids.length === 0 ? population : { any: [population, { all: [population, ...new Set(ids)] }] };
};

/** What the audit log has of a preview: the people who are shown, and the segments that the definition names. */
const auditedOf = (
  shown: readonly { readonly profile_uuid: string | null }[],
  definition: SegmentExpression,
) => ({
  profile_uuids: shown.flatMap(({ profile_uuid }) => profile_uuid ?? []),
  segment_ids: idsIn(definition).flatMap(({ id }) => (isRule(id) ? [] : [id])),
});
