import * as v from 'valibot';
import { collectionRepository } from '../../shared/collections/repository.ts';
import type { SegmentExpression } from '../../shared/catalogue/types.ts';
import { getExport } from '../../shared/exports/definitions/read-exports.ts';
import { deliverChanges } from '../../shared/exports/delivery/deliver-changes.ts';
import { download } from '../../shared/exports/delivery/download.ts';
import { forgottenMembers } from '../../shared/exports/parts/forgotten-members.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { createExport } from '../../shared/exports/definitions/create-export.ts';
import { assembleExport } from '../../shared/exports/file/assemble-export.ts';
import { fileStore } from '../../shared/exports/file/outgoing-file.ts';
import { createdExportAnswer, exportAnswer, jobAnswer } from '../../shared/exports/model/answers.ts';
import { segmentChanges } from '../../shared/exports/model/export-events.ts';
import type { JobRef } from '../../shared/exports/model/items.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { newExportBody } from '../../shared/exports/model/schemas.ts';
import { writePart } from '../../shared/exports/parts/write-part.ts';
import { createExportJob } from '../../shared/exports/runs/create-export-job.ts';
import { planExport } from '../../shared/exports/runs/plan-export.ts';
import { snapshotChunks } from '../../shared/membership/read-members.ts';
import { listTimelineChanges } from '../../shared/timelines/list-timeline-changes.ts';
import { changesAnswer } from '../../shared/timelines/changes-schemas.ts';
import { exportsHarness } from '../exports/harness.ts';
import { fileOf, locationParts } from '../exports/steps.ts';
import { lastUndoOf } from '../../shared/imports/undo/undo-turn.ts';
import { answered, publicRequestOf } from '../support/requests.ts';
import { scope } from '../profiles/harness.ts';
import { timelineHarness } from '../timelines/harness.ts';
import type { ServiceInMemory } from './service-in-memory.ts';

/** A timeline of a segment of the service. An hour passes before each moment. */
export const timelineOf = async (service: ServiceInMemory, segment: number) => {
  const { clock, reading, ask, hour, membersOf, namesOf } = service;
  const harness = timelineHarness({ property: scope.id, ...reading, clock });
  const { id } = await harness.created(`timeline of ${segment}`, segment);
  const momentsOf = async () => (await harness.counted(id)).moments;
  return {
    /** Adds a moment: its number of people, and who came and who left since the moment before. */
    moment: async () => {
      hour();
      await harness.added(id);
      const [from, to] = (await momentsOf()).slice(-2);
      if (!from || !to) throw new Error('the timeline lacks a moment');
      const { added, removed } = await answered(
        listTimelineChanges(reading, ask({ timeline_id: id }, { from: from.id, to: to.id }, undefined)),
        changesAnswer,
      );
      if (added.length !== to.added || removed.length !== to.removed)
        throw new Error('the moment counts other people than came and left');
      return { count: to.count, came: namesOf(added), left: namesOf(removed) };
    },
    /** The ids of the moments, the oldest first. */
    moments: async () => (await momentsOf()).map(({ id: moment }) => moment),
    /** The people of each moment, the oldest first. */
    members: async () => {
      const members: (readonly string[])[] = [];
      for (const { id: moment, count } of await momentsOf()) {
        members.push(namesOf(await membersOf(moment)));
        if (members.at(-1)?.length !== count) throw new Error('the moment has another count');
      }
      return members;
    },
  };
};

/** The ports of exports on those of the service. */
export const exporting = ({ ports, reading, deps: imports, kept }: ServiceInMemory) => {
  const harness = exportsHarness({ files: kept.exported });
  const deps = {
    ...harness,
    ...ports,
    ...reading,
    readProfiles: profileRepository(ports).readSteps,
    exports: exportRepository(ports.table),
    collections: collectionRepository(ports.table),
    stage: imports.stage,
    lastUndo: lastUndoOf(ports.table),
    hasForgotten: forgottenMembers(forgottenPeople(ports.table), harness.files),
    members: (property: number, target: SegmentExpression) =>
      snapshotChunks(ports, { property, expression: target }),
  };
  return { harness, deps };
};

/** Runs an export of the service, an hour later. Returns its job, which is complete. */
export const runExport = async (
  { ask, hour }: ServiceInMemory,
  { harness, deps }: ReturnType<typeof exporting>,
  id: string,
): Promise<JobRef> => {
  hour();
  const made = createExportJob(deps, ask({ export_id: id }, {}, undefined));
  const { id: job } = await answered(made, jobAnswer);
  const ref = { property: scope.id, export: Number(id), job: Number(job) };
  for (const { shard } of (await planExport(deps, ref)).shards) await writePart(deps, ref, shard);
  const files = fileStore({ objects: harness.files, parts: harness.fileParts });
  await assembleExport({ ...deps, files }, ref);
  return ref;
};

const URL = 'https://crm.example.com/hooks';

/** A receiver of the changes of a segment of the service, who knows people by name. An hour passes before each run. */
export const feedOf = async (service: ServiceInMemory, segment: number, more: object = {}) => {
  const { ask, namesOf } = service;
  const own = exporting(service);
  const { harness, deps } = own;
  const changes = { url: URL, first: 'all' };
  const sent = { segment: [segment], scope: 'delta', data_format: 'jsonl', start: false, changes, ...more };
  const body = v.parse(newExportBody, sent);
  const { id } = await answered(createExport(deps, ask({}, {}, body)), createdExportAnswer);
  const known = new Map<string, string>();
  harness.fakes.send = ({ body: called }) => {
    const { part, delta_from, changes: told } = v.parse(segmentChanges, JSON.parse(called));
    if (delta_from === null && part === 1) known.clear();
    for (const { change, profile } of told) {
      const [name = ''] = namesOf([profile]);
      if (change === 'removed') known.delete(profile.profile_uuid);
      else known.set(profile.profile_uuid, name);
    }
    return Promise.resolve({ kind: 'answered', status: 204, retryAfter: undefined });
  };
  return {
    /** Runs the export and tells its changes. Returns whom the receiver knows, and the number of changes that it was told. */
    run: async () => {
      const ref = await runExport(service, own, id);
      await deliverChanges({ ...deps, attemptSeconds: 780 }, ref);
      const delivery = (await deps.exports.delivery(ref, 'changes'))?.value;
      return { known: [...known.values()].sort(), told: delivery?.sent, state: delivery?.state };
    },
  };
};

/** An export of the changes of a segment of the service. An hour passes before each run. */
export const deltaOf = async (service: ServiceInMemory, segment: number, more: object = {}) => {
  const { ask, namesOf } = service;
  const own = exporting(service);
  const { harness, deps } = own;
  const body = v.parse(newExportBody, { segment: [segment], scope: 'delta', start: false, ...more });
  const { id } = await answered(createExport(deps, ask({}, {}, body)), createdExportAnswer);
  /** Whether the location of the newest file opens it. */
  const isOpen = async (): Promise<boolean> => {
    const { location } = await answered(getExport(deps, ask({ export_id: id }, {}, undefined)), exportAnswer);
    const asked = { now: service.clock.now, path: locationParts(location) };
    return (await download(deps, publicRequestOf(asked))).ok;
  };
  return {
    isOpen,
    /** Runs the export: the change, the name, the id and the address of each row, and the members without a row. */
    run: async () => {
      const ref = await runExport(service, own, id);
      const [header = [], ...lines] = (await fileOf({ ...harness, exports: deps.exports }, ',', ref)).rows;
      const rows = lines.map((line) => {
        const cell = (name: string): string => line[header.indexOf(name)] ?? '';
        const [name = ''] = namesOf([{ profile_uuid: cell('profile_uuid') }]);
        return [cell('change'), name, cell('unique_id'), cell('email')].join(' ');
      });
      const exported = (await deps.exports.job(ref))?.value;
      return {
        rows: rows.toSorted(),
        cells: lines.toSorted(),
        skipped: exported?.skipped,
        base: exported?.plan?.base ?? null,
      };
    },
  };
};
