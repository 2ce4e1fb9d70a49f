import * as v from 'valibot';
import type { ApiAnswer, ApiRequest } from '../../shared/http/api-types.ts';
import type { Problem } from '../../shared/http/problem.ts';
import { openUuid } from '../../shared/profiles/profile-uuid.ts';
import type { Result } from '../../shared/runtime/result.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { listSegmentProfiles } from '../../shared/segments/list-segment-profiles.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import type { ReadProfiles } from '../../shared/profiles/profile-repository.ts';
import { segmentProfilesQuery } from '../../shared/segments/schemas.ts';
import { segmentProfilesAnswer } from '../../shared/segments/people-schemas.ts';
import type { Schedule } from '../../shared/schedules/schedule.ts';
import type { Table } from '../../shared/table/table.ts';
import { createChartLink, withdrawChartLinks } from '../../shared/timelines/chart-links.ts';
import { momentTasks } from '../../shared/timelines/clear-up-moments.ts';
import { createMoment } from '../../shared/timelines/add-moment.ts';
import { createTimeline } from '../../shared/timelines/create-timeline.ts';
import { deleteTimeline, renameTimeline } from '../../shared/timelines/change-timelines.ts';
import { drawTimelineChart, showLinkedChart } from '../../shared/timelines/draw-timeline-chart.ts';
import { listTimelineChanges } from '../../shared/timelines/list-timeline-changes.ts';
import { getMoment, getTimeline, listTimelines } from '../../shared/timelines/read-timelines.ts';
import {
  countedTimelineAnswer,
  chartLinkAnswer,
  momentAnswer,
  timelineAnswer,
  timelinesAnswer,
  type ChartQuery,
  type TimelinesQuery,
} from '../../shared/timelines/schemas.ts';
import { changesAnswer } from '../../shared/timelines/changes-schemas.ts';
import { Fixture, property, scopeOf } from '../segments/fixture.ts';
import { lookAtDue } from '../support/look-at-tasks.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { withoutBrands } from '../support/brands.ts';
import { answered, publicRequestOf, requestOf } from '../support/requests.ts';

export const HOUR = 3_600_000;
export const START = Date.UTC(2026, 0, 1);
export const baseUrl = 'https://tidemark.test';

/** An answer: its status and body, or the code of its problem. */
interface Told {
  readonly status: number;
  readonly body?: unknown;
  readonly code?: string;
  readonly detail?: string;
  /** Place and code of each fault. */
  readonly faults?: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

const told = (answer: Result<ApiAnswer, Problem>): Told => {
  if (answer.ok)
    return { status: answer.value.status, body: answer.value.body, headers: answer.value.headers ?? {} };
  const { status, code, detail, errors, headers = {} } = answer.error;
  const faults = errors?.map((fault) => `${fault.pointer} ${fault.code}`);
  return { status, code: errors?.[0]?.code ?? code, detail, headers, ...(faults ? { faults } : {}) };
};

/** Looks at the unfinished moments that are due. Returns how many are cleared up. */
export const clearUpMoments = (ports: { readonly table: Table; readonly clock: Clock }): Promise<number> =>
  lookAtDue(ports, momentTasks(ports.table));

/** Where a harness is. Time stands still until `clock` is moved. */
interface Surroundings {
  readonly property: number;
  readonly table: Table;
  readonly readProfiles: ReadProfiles;
  readonly clock: { now: number };
  readonly pause?: () => Promise<void>;
}

/** Timelines on a table, as their routes make and read them. Each has memories of its own, like a process of its own. */
export const timelineHarness = ({ property, table, readProfiles, clock, pause }: Surroundings) => {
  const deps = {
    table,
    rates: new MemoryTable(),
    readProfiles,
    scopeOf,
    baseUrl,
    catalogue: segmentCatalogue({ table, ...withoutBrands }),
    clock: () => clock.now,
    pause: pause ?? (() => Promise.resolve()),
    intervalMs: HOUR,
  };
  const asked = <Query, Body>(
    query: Query,
    body: Body,
    path: Readonly<Record<string, string>> = {},
    requestKey?: string,
  ): ApiRequest<Query, Body> => {
    const keyed = requestKey === undefined ? {} : { requestKey, keyed: true };
    return requestOf({ property, now: clock.now, query, body, path, ...keyed });
  };
  const at = (timeline: number) => ({ timeline_id: String(timeline) });
  const create = async (name: string, reference_tile: number, comments = '', requestKey?: string) =>
    told(
      await createTimeline(
        deps,
        asked({}, { name, reference_tile, comments, schedule: null }, {}, requestKey),
      ),
    );
  const schedule = async (name: string, reference_tile: number, fields: Schedule) =>
    told(await createTimeline(deps, asked({}, { name, reference_tile, comments: '', schedule: fields })));
  const add = async (timeline: number, requestKey?: string) =>
    told(await createMoment(deps, asked({}, undefined, at(timeline), requestKey)));
  const get = async (timeline: number, query: { limit?: number; cursor?: string } = {}) =>
    told(
      await getTimeline(
        deps,
        asked({ limit: undefined, cursor: undefined, ...query }, undefined, at(timeline)),
      ),
    );
  return {
    deps,
    create,
    schedule,
    add,
    get,
    created: async (name: string, tile: number, comments = '') =>
      v.parse(timelineAnswer, (await create(name, tile, comments)).body),
    added: async (timeline: number) => v.parse(momentAnswer, (await add(timeline)).body),
    counted: async (timeline: number) => v.parse(countedTimelineAnswer, (await get(timeline)).body),
    list: async (query: TimelinesQuery = {}) => {
      const request = asked(query, undefined);
      const { body, headers } = told(await listTimelines(deps, request));
      return { timelines: v.parse(timelinesAnswer, body), link: headers['link'] };
    },
    moment: async (timeline: number, moment: number) =>
      told(await getMoment(deps, asked({}, undefined, { ...at(timeline), moment_id: String(moment) }))),
    rename: async (timeline: number, name: string) =>
      told(await renameTimeline(deps, asked({}, { name }, at(timeline)))),
    remove: async (timeline: number) => told(await deleteTimeline(deps, asked({}, undefined, at(timeline)))),
    drawn: async (timeline: number, query: ChartQuery = {}) =>
      told(await drawTimelineChart(deps, asked(query, undefined, at(timeline)))),
    chart: async (timeline: number) =>
      v.parse(v.string(), told(await drawTimelineChart(deps, asked({}, undefined, at(timeline)))).body),
    link: async (timeline: number, days = 30) =>
      v.parse(chartLinkAnswer, told(await createChartLink(deps, asked({}, { days }, at(timeline)))).body),
    withdraw: async (timeline: number) =>
      told(await withdrawChartLinks(deps, asked({}, undefined, at(timeline)))),
    /** Opens the address of a chart as anybody would. */
    open: async (address: string) => {
      const { pathname, search } = new URL(address);
      return told(
        await showLinkedChart(
          deps,
          publicRequestOf({
            ...{ now: clock.now, rawPath: pathname, rawQuery: search.slice(1) },
            path: { capability: pathname.split('/')[2] ?? '' },
          }),
        ),
      );
    },
    changes: async (timeline: number, query: Parameters<typeof listTimelineChanges>[1]['query']) =>
      told(await listTimelineChanges(deps, asked(query, undefined, at(timeline)))),
  };
};
export type TimelineHarness = ReturnType<typeof timelineHarness>;

/**
 * People with a tag on a table of their own; a timeline can be made of the tag. Each `harness` is a process, on the table or
 * on a view of it. Who waits lets a tenth of a second pass.
 */
export const taggedPeople = async (ordinals: readonly number[] = [0, 1, 5_000]) => {
  const fixture = new Fixture();
  await fixture.put(
    ordinals.map((ordinal) => [ordinal, { tags: ['a'] }] as const),
    ['a'],
  );
  const tag = await fixture.tag('a');
  const clock = { now: START };
  const { table, readProfiles } = fixture;
  const pause = async (): Promise<void> => {
    await new Promise(setImmediate);
    clock.now += 100;
  };
  const harness = (on: Table = table) => timelineHarness({ property, table: on, readProfiles, clock, pause });
  return { fixture, tag, clock, table, harness };
};

/** Ordinals of the profiles behind a link of a moment, page by page. */
export const behind = async (
  { deps }: TimelineHarness,
  property: number,
  link: string | null,
  limit = 1000,
): Promise<readonly number[]> => {
  const { keys } = await scopeOf(property);
  const seen: number[] = [];
  for (
    let next = link === null ? null : `${link}${link.includes('?') ? '&' : '?'}limit=${limit}`;
    next !== null;
  ) {
    const url = new URL(next);
    const segment_id = url.pathname.split('/').at(-2) ?? '';
    const query = v.parse(segmentProfilesQuery, Object.fromEntries(url.searchParams));
    const asked = requestOf({ property, path: { segment_id }, query, body: undefined });
    const { profiles, paging } = await answered(listSegmentProfiles(deps, asked), segmentProfilesAnswer);
    seen.push(...profiles.map(({ profile_uuid }) => openUuid(keys.uuid, profile_uuid ?? '') ?? -1));
    next = paging.next_page;
  }
  return seen;
};

/** Ordinals of who came and left between two moments, page by page. */
export const between = async (
  harness: TimelineHarness,
  property: number,
  timeline: number,
  { from, to, limit }: { readonly from: number; readonly to: number; readonly limit: number },
): Promise<{ readonly added: readonly number[]; readonly removed: readonly number[] }> => {
  const { keys } = await scopeOf(property);
  const found: { readonly added: number[]; readonly removed: number[] } = { added: [], removed: [] };
  for (let page: string | undefined, first = true; first || page !== undefined; first = false) {
    const { body } = await harness.changes(timeline, { from, to, limit, page });
    const { added, removed, paging } = v.parse(changesAnswer, body);
    for (const [kind, profiles] of Object.entries({ added, removed }))
      for (const { profile_uuid } of profiles)
        found[kind === 'added' ? 'added' : 'removed'].push(openUuid(keys.uuid, profile_uuid ?? '') ?? -1);
    page = paging.next_page_uuid ?? undefined;
  }
  return found;
};

/** The figures that a chart says, moment by moment. */
export const figuresIn = (svg: string) =>
  [...svg.matchAll(/<g class="moment" ([^>]*)>/g)].map(([, attributes = '']) => {
    const data = Object.fromEntries(
      [...attributes.matchAll(/data-(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    );
    const numberOr = (value: string | undefined): number | null =>
      value === undefined ? null : Number(value);
    return {
      id: Number(data['id']),
      count: Number(data['count']),
      added: numberOr(data['added']),
      removed: numberOr(data['removed']),
    };
  });
