import * as v from 'valibot';
import type { BoundUseCase } from '../support/bound-use-case.ts';
import type { LookupQuery } from '../../shared/profiles/schemas.ts';
import type { PropertyScope } from '../../shared/properties/scope.ts';
import { openUuid, sealOrdinal } from '../../shared/profiles/profile-uuid.ts';
import { getSegment } from '../../shared/segments/get-segment.ts';
import {
  listProfileSegments,
  type ProfileSegmentsDeps,
} from '../../shared/segments/list-profile-segments.ts';
import {
  listSegmentProfiles,
  type SegmentProfilesDeps,
} from '../../shared/segments/list-segment-profiles.ts';
import { segmentAnswer, segmentProfilesQuery, treeAnswer } from '../../shared/segments/schemas.ts';
import { segmentProfilesAnswer } from '../../shared/segments/people-schemas.ts';
import { request } from '../references/harness.ts';
import { unloadedBrands } from '../support/brands.ts';

/** The ports of a client that reads segments. */
export interface ReadingDeps extends Omit<SegmentProfilesDeps, 'scopeOf' | 'baseUrl'> {
  readonly profiles: ProfileSegmentsDeps['profiles'];
}

/** A walk through the pages of a segment. */
export interface Walk {
  readonly limit: number;
  readonly not?: number | undefined;
  readonly direction: 'next_page' | 'previous_page';
  /** Start of a backward walk: an ordinal after all members. */
  readonly end?: number;
  /** Hook between two pages. */
  readonly between?: (page: readonly number[]) => Promise<void>;
}

/** Reads segments through the routes, as clients do. */
export const reading = (deps: ReadingDeps, scope: PropertyScope) => {
  const common = {
    ...deps,
    derivations: unloadedBrands,
    scopeOf: () => Promise.resolve(scope),
    baseUrl: 'https://tidemark.test',
  };
  const ask = async <Query, T>(
    useCase: BoundUseCase<Query>,
    query: Query,
    path: Readonly<Record<string, string>>,
    schema: v.GenericSchema<unknown, T>,
  ): Promise<T | undefined> => {
    const answer = await useCase({ ...request(undefined, path), query });
    if (!answer.ok && answer.error.status !== 404) throw new Error(answer.error.code);
    return answer.ok ? v.parse(schema, answer.value.body) : undefined;
  };
  const list = (asked: Parameters<typeof listSegmentProfiles>[1]) => listSegmentProfiles(common, asked);
  const get = (asked: Parameters<typeof getSegment>[1]) => getSegment(common, asked);
  const tree = (asked: Parameters<typeof listProfileSegments>[1]) => listProfileSegments(common, asked);
  /** A page's ordinals and the query of the next page; undefined when there is no such segment. */
  const page = async (segment: number, query: Record<string, string>, direction: Walk['direction']) => {
    const answer = await ask(
      list,
      v.parse(segmentProfilesQuery, query),
      { segment_id: `${segment}` },
      segmentProfilesAnswer,
    );
    if (!answer) return undefined;
    const ordinals = answer.profiles.map(
      ({ profile_uuid }) => openUuid(scope.keys.uuid, profile_uuid ?? '') ?? -1,
    );
    const link = answer.paging[direction];
    return { ordinals, next: link === null ? undefined : Object.fromEntries(new URL(link).searchParams) };
  };
  return {
    page,
    /** The segment with the exact number of its members; undefined when there is no such segment. */
    segment: (segment: number) => ask(get, {}, { segment_id: `${segment}` }, segmentAnswer),
    /** The tree of the profile at an ordinal; undefined when there is no profile. */
    tree: async (ordinal: number) => {
      const profile_uuid = sealOrdinal(scope.keys.uuid, ordinal);
      const audits: BoundUseCase<LookupQuery> = async (asked) => {
        const answer = await tree(asked);
        if (answer.ok && answer.value.audited?.profile_uuid !== profile_uuid)
          throw new Error('the audit log is not told whose segments are shown');
        return answer;
      };
      return ask(audits, { profile_uuid }, {}, treeAnswer);
    },
    /** Ordinals in the order of a walk. */
    walk: async (
      segment: number,
      { limit, not, direction, end = 0, between }: Walk,
    ): Promise<readonly number[]> => {
      const first = direction === 'next_page' ? {} : { page: sealOrdinal(scope.keys.uuid, end) };
      let query: Record<string, string> | undefined = {
        limit: `${limit}`,
        ...(not === undefined ? {} : { not: `${not}` }),
        ...first,
      };
      const seen: number[] = [];
      while (query) {
        const shown: Awaited<ReturnType<typeof page>> = await page(segment, query, direction);
        if (!shown) throw new Error('there is no such segment');
        if (shown.ordinals.length > limit) throw new Error('a page is too long');
        seen.push(...(direction === 'next_page' ? shown.ordinals : shown.ordinals.toReversed()));
        query = shown.next;
        await between?.(shown.ordinals);
      }
      return seen;
    },
  };
};
