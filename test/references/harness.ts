import * as v from 'valibot';
import {
  createCollection,
  deleteCollection,
  replaceCollection,
} from '../../shared/collections/change-collections.ts';
import { collectionReferrers } from '../../shared/collections/collection-referrers.ts';
import { collectionRepository } from '../../shared/collections/repository.ts';
import { createExport } from '../../shared/exports/definitions/create-export.ts';
import { exportReferrers } from '../../shared/exports/definitions/export-referrers.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { newExportBody } from '../../shared/exports/model/schemas.ts';
import type { ApiAnswer } from '../../shared/http/api-types.ts';
import type { Problem } from '../../shared/http/problem.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import type { Result } from '../../shared/runtime/result.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { createSegment, deleteSegment, replaceSegment } from '../../shared/segments/change-segments.ts';
import { segmentReferrers } from '../../shared/segments/segment-referrers.ts';
import type { SegmentExpression } from '../../shared/catalogue/types.ts';
import type { Table } from '../../shared/table/table.ts';
import { memorySchedules } from '../support/memory-schedules.ts';
import { createTimeline } from '../../shared/timelines/create-timeline.ts';
import { allItems } from '../../shared/table/all-items.ts';
import { keys } from '../../shared/table/keys.ts';
import { isLive } from '../../shared/references/lifecycle.ts';
import { deleteTimeline, renameTimeline } from '../../shared/timelines/change-timelines.ts';
import { parseTimeline } from '../../shared/timelines/timeline-items.ts';
import { timelineReferrers } from '../../shared/timelines/timeline-referrers.ts';
import { memoryKeys } from '../support/memory-keys.ts';
import { scopeOf } from '../segments/fixture.ts';
import { withoutBrands } from '../support/brands.ts';
import { requestOf } from '../support/requests.ts';

export const property = 7;

/** The outcome of a request: the id that it created or changed, or the code of its refusal. */
export interface Outcome {
  readonly status: number;
  readonly id?: number;
  readonly code?: string;
}

const made = v.looseObject({ id: v.pipe(v.union([v.number(), v.string()]), v.transform(Number)) });

const outcomeOf = (answer: Result<ApiAnswer, Problem>): Outcome => {
  if (answer.ok) return { status: answer.value.status, id: v.parse(made, answer.value.body).id };
  const { status, code, errors } = answer.error;
  return { status, code: errors?.[0]?.code ?? code };
};

/** A request in the property. */
export const request = <Body>(body: Body, path: Readonly<Record<string, string>> = {}) =>
  requestOf({ property, now: Date.UTC(2026, 5, 1), requestKey: 'c', query: {}, body, path });

/** Segments, collections and exports on a table, changed through their use cases. */
export const referencesHarness = (table: Table) => {
  const collections = collectionRepository(table);
  const deps = {
    table,
    collections,
    catalogue: segmentCatalogue({ table, ...withoutBrands }),
    pause: () => Promise.resolve(),
    referrers: {
      segment: segmentReferrers(table),
      collection: collectionReferrers(table),
      export: exportReferrers(table),
      timeline: timelineReferrers(table),
    },
    baseUrl: 'https://api.example.test',
    clock: () => Date.UTC(2026, 5, 1),
    intervalMs: 3_600_000,
    exports: exportRepository(table),
    takesConditions: true,
    marginMs: 0,
    keyService: memoryKeys(),
    workflow: { start: () => Promise.resolve() },
    schedules: memorySchedules(),
    ids: systemIds,
    scopeOf,
    accountArn: 'arn:aws:iam::000000000000:root',
    stage: { baseUrl: 'https://api.example.test', privateTargets: 'none' },
  } as const;
  const segmentPath = (id: number) => ({ segment_id: String(id) });
  const collectionPath = (id: number) => ({ collection_id: String(id) });
  return {
    ...deps,
    makeSegment: async (definition: SegmentExpression, name = 'made'): Promise<Outcome> =>
      outcomeOf(await createSegment(deps, request({ name, definition }))),
    editSegment: async (id: number, definition: SegmentExpression, name = 'edited'): Promise<Outcome> =>
      outcomeOf(await replaceSegment(deps, request({ name, definition }, segmentPath(id)))),
    deleteSegment: async (id: number): Promise<Outcome> =>
      outcomeOf(await deleteSegment(deps, request(undefined, segmentPath(id)))),
    makeCollection: async (segments: number[]): Promise<Outcome> =>
      outcomeOf(await createCollection(deps, request({ name: 'made', segments }))),
    editCollection: async (id: number, segments: number[]): Promise<Outcome> =>
      outcomeOf(await replaceCollection(deps, request({ name: 'edited', segments }, collectionPath(id)))),
    deleteCollection: async (id: number): Promise<Outcome> =>
      outcomeOf(await deleteCollection(deps, request(undefined, collectionPath(id)))),
    makeExport: async (targets: { segment?: number[]; collection?: number[] }): Promise<Outcome> =>
      outcomeOf(await createExport(deps, request(v.parse(newExportBody, targets)))),
    makeTimeline: async (reference_tile: number, name: string): Promise<Outcome> =>
      outcomeOf(await createTimeline(deps, request({ reference_tile, name, comments: '', schedule: null }))),
    renameTimeline: async (id: number, name: string): Promise<Outcome> =>
      outcomeOf(await renameTimeline(deps, request({ name }, { timeline_id: String(id) }))),
    timelineNames: async (): Promise<readonly string[]> =>
      (await allItems(table, keys.timeline(property, 0).pk))
        .filter(isLive)
        .map((item) => parseTimeline(item).name),
    deleteTimeline: async (id: number): Promise<Outcome> =>
      outcomeOf(await deleteTimeline(deps, request(undefined, { timeline_id: String(id) }))),
    /** Ends the newest job of an export. */
    endExport: async (id: number): Promise<void> => {
      const definition = (await deps.exports.definition(property, id))?.value;
      if (!definition || definition.latest_job === null) return;
      const job = { ...definition, job: definition.latest_job };
      const seen = await deps.exports.job(job);
      await deps.exports.updateJob(job, seen?.w ?? '', { status: 'complete' });
    },
  };
};
export type ReferencesHarness = ReturnType<typeof referencesHarness>;
