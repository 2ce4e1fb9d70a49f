import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { createCollection } from '../../shared/collections/change-collections.ts';
import { cachedEnrichers, enrichmentOf } from '../../shared/enrichment/enrichers.ts';
import { createExport } from '../../shared/exports/definitions/create-export.ts';
import { cancelExportJob } from '../../shared/exports/runs/end-job.ts';
import { replayDelivery } from '../../shared/exports/delivery/replay-delivery.ts';
import { createExportJob } from '../../shared/exports/runs/create-export-job.ts';
import { newExportBody } from '../../shared/exports/model/schemas.ts';
import type { ApiAnswer, ApiRequest } from '../../shared/http/api-types.ts';
import type { Problem } from '../../shared/http/problem.ts';
import { createObjection } from '../../shared/ingest/objections.ts';
import { createProfile } from '../../shared/ingest/create-profile.ts';
import { journal } from '../../shared/membership/journal.ts';
import { createErasure } from '../../shared/retention/erasures.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import type { Result } from '../../shared/runtime/result.ts';
import { createSegment } from '../../shared/segments/change-segments.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { createMoment } from '../../shared/timelines/add-moment.ts';
import { createTimeline } from '../../shared/timelines/create-timeline.ts';
import { begun, path as jobPath, ran, withPeople } from '../exports/steps.ts';
import { type ExportsHarness, PROPERTY as EXPORTS, segment } from '../exports/harness.ts';
import { scope } from '../profiles/harness.ts';
import { everyone, Fixture, property } from '../segments/fixture.ts';
import { unloadedBrands } from '../support/brands.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { HOUR, START, timelineHarness } from '../timelines/harness.ts';
import { referencesHarness } from '../references/harness.ts';
import { importScenes } from './keyed-import-scenes.ts';
import { profileWriter } from '../../shared/ingest/profile-writer.ts';
import { requestOf } from '../support/requests.ts';

type Outcome = Promise<Result<ApiAnswer, Problem>>;

/** A POST to send, and a way to read its effects. */
export interface Scene {
  readonly send: (requestKey: string) => Outcome;
  /** The table and the other ports that the POST reads and writes. */
  readonly table: MemoryTable;
  /** All effects of the request; there must be exactly one. */
  readonly effects: () => readonly unknown[] | Promise<readonly unknown[]>;
  /** Advances the clock until the claim may be taken over. */
  readonly later?: () => void;
}

/** Prepares a POST. The scene calls `before` ahead of every operation of the ports that the POST uses. */
export type Play = (before: () => void) => Promise<Scene>;

/** A request with an `Idempotency-Key`. */
export const keyed = <Body>(
  of: number,
  requestKey: string,
  body: Body,
  path: Readonly<Record<string, string>> = {},
  now = START,
): ApiRequest<never, Body> => {
  const query = v.parse(nothing, undefined);
  return requestOf({
    property: of,
    requestId: randomUUID(),
    now,
    path,
    query,
    body,
    requestKey,
    keyed: true,
  });
};
const nothing = v.custom<never>(() => true);

const items = (table: MemoryTable, kind: string) => table.items().filter(({ pk }) => kindOfKey(pk) === kind);

const exportScene =
  (act: (harness: ExportsHarness, requestKey: string) => Outcome): Play =>
  async (before) => {
    const harness = await ran({ webhook_url: 'https://hooks.example.test/x' }, { before });
    harness.started.length = 0;
    return {
      table: harness.table,
      send: (requestKey) => act(harness, requestKey),
      effects: () => harness.started.map(({ name }) => name),
    };
  };

const newExport: Play = (before) => {
  const harness = withPeople({ before });
  const body = v.parse(newExportBody, {
    segment: [segment(2)],
    webhook_url: 'https://hooks.example.test/x',
  });
  const stage = {
    baseUrl: 'https://api.example.test',
    privateTargets: 'loopback',
    sender: 'exports@example.test',
  } as const;
  return Promise.resolve({
    table: harness.table,
    send: (requestKey) => createExport({ ...harness, stage }, keyed(EXPORTS, requestKey, body)),
    effects: () => {
      const made = harness.table.items().filter(({ pk }) => pk === `P#${EXPORTS}#EXPORTS`);
      const jobs = harness.table
        .items()
        .filter(({ pk, sk }) => pk.includes('#EXPORT#') && sk.startsWith('JOB#'));
      if (made.length === 1 && jobs.length === 1) return harness.started.map(({ name }) => name);
      return [...made, ...jobs];
    },
  });
};

const cancelledExport: Play = async (before) => {
  const harness = await begun({}, { before });
  return {
    table: harness.table,
    send: (requestKey) => cancelExportJob(harness, keyed(EXPORTS, requestKey, undefined, jobPath)),
    effects: () => items(harness.table, 'export').filter(({ status }) => status === 'cancelled'),
  };
};

const usesScene =
  (kind: string, act: (harness: ReturnType<typeof referencesHarness>, requestKey: string) => Outcome): Play =>
  (before) => {
    const table = new MemoryTable(before);
    const harness = referencesHarness(table);
    const made = () => table.items().filter(({ pk, name }) => pk.includes(kind) && name === 'made');
    return Promise.resolve({ table, send: (requestKey) => act(harness, requestKey), effects: made });
  };

const timelines = async (before: () => void) => {
  const fixture = new Fixture();
  await fixture.put([[0, { tags: ['a'] }]], ['a']);
  const tag = await fixture.tag('a');
  const clock = { now: START };
  const { table, readProfiles } = fixture;
  const harness = timelineHarness({ property, table, readProfiles, clock });
  fixture.before = before;
  return { harness, tag, clock, table };
};

const newTimeline: Play = async (before) => {
  const { harness, tag, clock, table } = await timelines(before);
  const body = { name: 't', reference_tile: tag, comments: '', schedule: null };
  return {
    table,
    send: (requestKey) => createTimeline(harness.deps, keyed(property, requestKey, body)),
    effects: () => table.items().filter(({ pk }) => pk === `P#${property}#TIMELINES`),
    later: () => (clock.now += HOUR),
  };
};

const newMoment: Play = async (before) => {
  let begun = false;
  const { harness, tag, clock, table } = await timelines(() => {
    if (begun) before();
  });
  const { id } = await harness.created('t', tag);
  clock.now += HOUR;
  begun = true;
  return {
    table,
    send: (requestKey) =>
      createMoment(harness.deps, keyed(property, requestKey, undefined, { timeline_id: String(id) })),
    effects: async () => (await harness.counted(id)).moments.slice(1),
    later: () => (clock.now += 2 * HOUR),
  };
};

const newProfile: Play = (before) => {
  const table = new MemoryTable(before);
  const around = { table, clock: () => START, pause: () => Promise.resolve(), derivations: unloadedBrands };
  const writer = {
    ...profileWriter(around),
    scopeOf: () => Promise.resolve(scope),
    enrichment: enrichmentOf({
      enrichers: cachedEnrichers(around),
      queue: new MemoryQueue(),
      ids: systemIds,
    }),
  };
  return Promise.resolve({
    table,
    send: (requestKey) =>
      createProfile(writer, keyed(scope.id, requestKey, { email: 'ann@example.org', first_name: 'Ann' })),
    effects: () => items(table, 'profile'),
  });
};

const newObjection: Play = (before) => {
  const table = new MemoryTable(before);
  const around = { table, clock: () => START, pause: () => Promise.resolve(), derivations: unloadedBrands };
  const forgettings = new MemoryTable();
  const deps = { ...profileWriter(around), scopeOf: () => Promise.resolve(scope), forgettings };
  const body = { email: 'ann@example.org', scope: 'storage' } as const;
  return Promise.resolve({
    table,
    send: (requestKey) => createObjection(deps, keyed(scope.id, requestKey, body)),
    effects: () => items(table, 'objection'),
  });
};

const newErasure: Play = async (before) => {
  const fixture = new Fixture();
  await fixture.put([[0, { tags: ['a'] }]], ['a']);
  const tag = await fixture.tag('a');
  const { table, catalogue } = fixture;
  const pause = () => Promise.resolve();
  const queue = { drains: new MemoryQueue(before), ids: systemIds };
  const log = journal({ table, clock: Date.now });
  const deps = { table, catalogue, work: new MemoryObjects(before), pause, ...queue, journal: log };
  fixture.before = before;
  return {
    table,
    send: (requestKey) => createErasure(deps, keyed(property, requestKey, { segment: tag, profiles: 1 })),
    effects: () => items(table, 'erasure'),
  };
};

const where = { field: 'extra_data.spend', op: 'gte', value: 500 } as const;

/** The POST routes of the manifest with an `Idempotency-Key`, by function; a second form of a body stands behind its name. */
export const keyedScenes: Readonly<Record<string, Play>> = {
  createProfile: newProfile,
  createObjection: newObjection,
  createErasure: newErasure,
  createSegment: usesScene('#SEGMENTS#', (harness, requestKey) =>
    createSegment(harness, keyed(property, requestKey, { name: 'made', definition: everyone })),
  ),
  'createSegment by a rule': usesScene('#SEGMENTS#', (harness, requestKey) =>
    createSegment(harness, keyed(property, requestKey, { name: 'made', where })),
  ),
  createCollection: usesScene('#COLLECTIONS', (harness, requestKey) =>
    createCollection(harness, keyed(property, requestKey, { name: 'made', segments: [everyone] })),
  ),
  createExport: newExport,
  createExportJob: exportScene((harness, requestKey) =>
    createExportJob(harness, keyed(EXPORTS, requestKey, undefined, jobPath)),
  ),
  cancelExportJob: cancelledExport,
  replayDelivery: exportScene((harness, requestKey) => {
    const path = { ...jobPath, delivery: `${jobPath.job_id}-webhook` };
    return replayDelivery(harness, keyed(EXPORTS, requestKey, undefined, path));
  }),
  createTimeline: newTimeline,
  createMoment: newMoment,
  ...importScenes,
};
