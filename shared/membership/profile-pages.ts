/** Profile pages: reads a page of members as the API shows it, with links whose positions are profile UUIDs. */
import { limits } from '../config/limits.ts';
import { bytesInAnswer } from '../http/fitting.ts';
import { problems, type Problem } from '../http/problem.ts';
import type { PageInclude } from '../profiles/include-schema.ts';
import type { IncludedValues } from '../profiles/included.ts';
import { profileViews, type ReadProfiles } from '../profiles/profile-repository.ts';
import type { ProfileView } from '../profiles/types.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { openUuid, sealOrdinal } from '../profiles/profile-uuid.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import type { Table } from '../table/table.ts';
import type { MembersOf } from './expression-plan.ts';
import { readMemberPage, type KeptProfile, type MemberPage } from './member-page.ts';

/** `baseUrl` is the configured address of the service. */
export interface ProfilePageDeps {
  readonly table: Table;
  readonly readProfiles: ReadProfiles;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly baseUrl: string;
}

/** A request for a page of profiles. `path` is the path of its links, `kept` their query besides the position. */
export interface ProfilePageRequest extends MembersOf {
  readonly query: {
    readonly limit?: number | undefined;
    readonly page?: string | undefined;
    readonly before?: string | undefined;
    readonly include?: ReadonlySet<PageInclude> | undefined;
  };
  readonly path: string;
  readonly kept: string;
  /** The time of the request (epoch milliseconds). */
  readonly now: number;
}

/** A profile on a page with what the request includes, and its ordinal. */
export interface PagedProfile {
  readonly ordinal: number;
  readonly profile: ProfileView & IncludedValues;
}

/** Reads a page of profiles with links to its neighbours; 400 for a UUID that the property never issued. */
export const readProfilePage = async (
  deps: ProfilePageDeps,
  { property, expression, query, path, kept, now }: ProfilePageRequest,
): Promise<Result<{ profiles: readonly PagedProfile[]; paging: Paging }, Problem>> => {
  const scope = await deps.scopeOf(property);
  const from = query.page === undefined ? 0 : openUuid(scope.keys.uuid, query.page);
  const before = query.before === undefined ? undefined : openUuid(scope.keys.uuid, query.before);
  if (from === undefined) return err(notOurs('page'));
  if (query.before !== undefined && before === undefined) return err(notOurs('before'));
  const { limit = limits.http.pageDefault, include } = query;
  const page = await readMemberPage(
    { ...deps, show: (profiles: readonly KeptProfile[]) => sized(profiles, scope) },
    { property, expression },
    { from, before, limit, include, now, bytes: limits.http.pageBytes, queries: limits.segments.walkQueries },
  );
  const included = include === undefined ? '' : `&include=${[...include].join(',')}`;
  const link = (place: string): string => `${deps.baseUrl}${path}?limit=${limit}&${place}${kept}${included}`;
  return ok({ profiles: page.profiles, paging: pagingOf(scope, page, link) });
};

const notOurs = (parameter: string) =>
  problems.badRequest('The query has unknown or malformed parameters.', [
    {
      pointer: `/${parameter}`,
      code: 'unknown_profile',
      detail: 'Must be the UUID of a profile of this property.',
    },
  ]);

/** The views of profiles, each with its size in the answer. */
const sized = (
  profiles: readonly KeptProfile[],
  scope: PropertyScope,
): readonly { readonly shown: PagedProfile; readonly bytes: number }[] => {
  const views = profileViews(profiles, scope);
  return profiles.flatMap(({ ordinal, included, includedBytes }, index) => {
    const view = views[index];
    if (!view) return [];
    const profile = { ...view, ...included };
    return [{ shown: { ordinal, profile }, bytes: bytesInAnswer(view) + includedBytes }];
  });
};

type Paging = ReturnType<typeof pagingOf>;

const pagingOf = (
  { keys }: PropertyScope,
  { profiles, next, previous }: MemberPage<PagedProfile>,
  link: (place: string) => string,
) => {
  const uuid = (ordinal: number): string => sealOrdinal(keys.uuid, ordinal);
  return {
    next_page: next === undefined ? null : link(`page=${uuid(next)}`),
    previous_page: previous ? link(`page=${uuid(previous.from)}&before=${uuid(previous.before)}`) : null,
    next_page_uuid: next === undefined ? null : uuid(next),
    previous_page_uuid: previous ? uuid(previous.from) : null,
    count: profiles.length,
  };
};
