import * as v from 'valibot';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { replaceImport } from '../../shared/imports/definitions/change-imports.ts';
import { inspectFile } from '../../shared/imports/files/inspect-file.ts';
import { splitFile } from '../../shared/imports/files/split-file.ts';
import { settleImport } from '../../shared/imports/jobs/settle-import.ts';
import { batchAnswer } from '../../shared/imports/schemas/batch-schemas.ts';
import { importAnswer, importBody } from '../../shared/imports/schemas/definition-schemas.ts';
import { jobAnswer } from '../../shared/imports/schemas/job-schemas.ts';
import { retryImportJob } from '../../shared/imports/retry/retry-import-job.ts';
import { runUndo } from '../../shared/imports/undo/run-undo.ts';
import { undoImportJob } from '../../shared/imports/undo/undo-import-job.ts';
import { createProfile } from '../../shared/ingest/create-profile.ts';
import { finishForgetting } from '../../shared/ingest/forget-person.ts';
import { profileWriter } from '../../shared/ingest/profile-writer.ts';
import { rehearse } from '../../shared/ingest/rehearsal.ts';
import { restatementsIn } from '../../shared/ingest/restatements.ts';
import { besideAll } from '../ingest/undo-harness.ts';
import { drainAnnounced, drainGroup, drainRequest, requestDrains } from '../../shared/membership/drain.ts';
import { momentMembers } from '../../shared/membership/moments.ts';
import { findPeople } from '../../shared/profiles/find-people.ts';
import { getProfile } from '../../shared/profiles/get-profile.ts';
import type { SegmentsOf } from '../../shared/profiles/included.ts';
import { recordSchema } from '../../shared/profiles/record-schema.ts';
import {
  peopleAnswer,
  peopleQuery,
  profileAnswer,
  profileQuery,
  storedAnswer,
} from '../../shared/profiles/schemas.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { findSegments } from '../../shared/segments/find-segments.ts';
import { getSegment } from '../../shared/segments/get-segment.ts';
import { listSegmentProfiles } from '../../shared/segments/list-segment-profiles.ts';
import { findSegmentsQuery, segmentAnswer, segmentsAnswer } from '../../shared/segments/schemas.ts';
import { segmentProfilesAnswer } from '../../shared/segments/people-schemas.ts';
import { segmentsOfProfile } from '../../shared/segments/segments-of-profile.ts';
import {
  importHarness,
  type ImportHarness,
  importsOn,
  referenceOf,
  request,
} from '../imports/import-harness.ts';
import { storingIn } from '../imports/import-world.ts';
import { answered } from '../support/requests.ts';
import { asking, download, edited } from '../imports/retry-harness.ts';
import { scope } from '../profiles/harness.ts';
import { referencesHarness } from '../references/harness.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { newKept, type Kept } from './kept.ts';
import { processesOn } from './processes.ts';
import { rights } from './rights.ts';
import { followRules } from './ruling.ts';
import { columns, type Cells, type SentFile } from './visitor-files.ts';

export { fileOf, listing } from './visitor-files.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
const explaining = { explain: 'true', include: 'tags,segments' };
/** No workflow here takes more calls of a step. */
const MOST_CALLS = 20;

interface ServiceOptions {
  readonly table?: MemoryTable;
  /** Stores restatements beside their people, also where a write of the profile costs no more. */
  readonly beside?: boolean;
  /** What stays when the table is restored and all processes start again. */
  readonly kept?: Kept;
}

/**
 * The service on one table in memory: imports, people and segments, wired as the functions wire them, with the real index.
 * Workers, undos and requests have memories of their own, like processes. An hour passes before each change.
 */
export const serviceInMemory = ({
  table = new MemoryTable(),
  beside = false,
  kept = newKept(),
}: ServiceOptions = {}) => {
  const { clock } = kept;
  const ports = { table, clock: () => clock.now, pause: () => Promise.resolve() };
  const { process, renewProcesses } = processesOn(ports);
  const harness = importHarness(table, () => undefined, kept);
  harness.uploads.clock = ports.clock;
  const { undoLog } = harness.profileDeps;
  const { undoneAmong } = harness.deps.imports;
  const restatements = restatementsIn({ ...ports, undoneAmong });
  const logs = { undoLog, restatements: beside ? besideAll(restatements) : restatements };
  // The setting reaches one function after the other.
  const worker = profileWriter({ ...process(), ...logs, deflateFrom: 200 });
  const undoer = profileWriter({ ...process(), ...logs, deflateFrom: 1 });
  const front = profileWriter(process());
  const moments = momentMembers(front);

  const drains = new MemoryQueue();
  const draining = { journal: worker.journal, drains, ids: systemIds };
  const drainAll = async (): Promise<void> => {
    const finish = (property: number, ordinal: number) =>
      finishForgetting({ ...front, moments }, property, ordinal);
    for (const body of drains.takeBodies()) {
      const { property, group } = v.parse(drainRequest, body);
      while ((await drainGroup({ ...worker, finishForgetting: finish }, property, group)).more);
    }
  };
  /** Repeats the step of a workflow until it is done, and indexes in between what is announced. */
  const untilDone = async (step: () => Promise<{ readonly done: boolean }>): Promise<void> => {
    for (let calls = 0; calls < MOST_CALLS; calls += 1) {
      if ((await step()).done) return;
      await drainAll();
      // The index waits for a write whose sender may have died.
      clock.now += MINUTE;
    }
    throw new Error('the workflow does not end');
  };
  const scopeOf = () => Promise.resolve({ ...scope, rules: { ...kept.rules } });
  const deps: ImportHarness['deps'] = {
    ...harness.deps,
    clock: ports.clock,
    scopeOf,
    store: storingIn(worker),
    rehearse: (where) => rehearse(worker, where),
    segments: { findIds: async (...asked) => new Map(await worker.segments.findIds(...asked)) },
    barrier: { ...harness.barrier, isSettled: (property, by) => drainAnnounced(draining, property, by) },
    requestDrains: async (property, groups) => {
      await requestDrains(
        draining,
        groups.map((group) => ({ property, group })),
      );
      return undefined;
    },
  };
  const imports = importsOn({ ...harness, deps });
  /** The index shows everything that was stored. */
  const settled = (): Promise<void> =>
    untilDone(async () => ({ done: await deps.barrier.isSettled(scope.id, clock.now) }));
  const reading = {
    ...{ table, catalogue: front.segments, readProfiles: harness.profiles.readEach },
    ...{ scopeOf, baseUrl: deps.baseUrl },
  };

  const hour = (): void => void (clock.now += HOUR);
  const ask = <Query, Body>(path: Readonly<Record<string, string | number>>, query: Query, body: Body) => ({
    ...request(path, query, body),
    requestId: systemIds.uuid(),
    now: clock.now,
  });
  const stepsOf = ({ importId, job }: SentFile) => referenceOf(importId, job);
  const workOff = () => imports.workOff();
  const settle = (sent: SentFile): Promise<void> => untilDone(() => settleImport(deps, stepsOf(sent)));

  /** Names of people by their ids, also of those who are gone. */
  const names = new Map<string | null, string>();
  const membersOf = async (segment: number) => {
    const { profiles } = await answered(
      listSegmentProfiles(reading, ask({ segment_id: segment }, {}, undefined)),
      segmentProfilesAnswer,
    );
    for (const { profile_uuid, first_name } of profiles)
      if (first_name !== null) names.set(profile_uuid, first_name);
    return profiles;
  };
  const namesOf = (profiles: readonly { readonly profile_uuid: string | null }[]): readonly string[] =>
    profiles.map(({ profile_uuid }) => names.get(profile_uuid) ?? 'somebody').sort();
  const everybody = () => membersOf(everyoneId(scope.id));

  /** What the job says: its counts and its end, and the line, field and code of each refused and each warned row. */
  const told = async (sent: SentFile) => {
    const said = ({ line, field, code }: { line: number | null; field: string | null; code: string }) =>
      `${line ?? '-'} ${field ?? '-'} ${code}`;
    const { counts, failure, undo } = await imports.readJob(sent.importId, sent.job);
    const { errors } = await imports.readErrors(sent.importId, sent.job);
    const { warnings } = await imports.readWarnings(sent.importId, sent.job);
    // Learns the names of people before they may go.
    await everybody();
    return { ...sent, counts, failure, undo, refused: errors.map(said), warned: warnings.map(said) };
  };

  const undoDeps = { ...deps, ...undoer, referrers: referencesHarness(table).referrers };
  const askUndo = async ({ importId, job }: SentFile): Promise<void> => {
    hour();
    const asked = ask({ import_id: importId, job_id: job }, {}, undefined);
    await answered(undoImportJob(deps, asked), jobAnswer);
  };

  /** Sends a file. The steps read it, split it into batches, store them and settle the job; each may come when it will. */
  const send = async (importId: number, file: string, store: (job: number) => Promise<void> = workOff) => {
    hour();
    const { reference, job } = await imports.upload(importId, file);
    const sent = { importId, job };
    const read = () => untilDone(() => inspectFile(deps, reference));
    const split = () => untilDone(() => splitFile(deps, reference));
    return { ...sent, steps: [read, split, () => store(job), () => settle(sent)] };
  };
  const importFile = async (importId: number, file: string) => {
    const { steps, ...sent } = await send(importId, file);
    for (const step of steps) await step();
    return told(sent);
  };

  const segments = () =>
    answered(
      findSegments(reading, ask({}, v.parse(findSegmentsQuery, { limit: '1000' }), undefined)),
      segmentsAnswer,
    );
  const countOf = async (segment: number): Promise<number> =>
    (await answered(getSegment(reading, ask({ segment_id: segment }, {}, undefined)), segmentAnswer)).count ??
    0;

  /** The person that an identity finds. */
  const find = async (query: Readonly<Record<string, string>>) => {
    const segmentsOf: SegmentsOf = (property, profile, now) =>
      segmentsOfProfile({ ...reading, derivations: front.derivations }, property, profile, now);
    const answer = await getProfile(
      { ...reading, profiles: harness.profiles, segmentsOf },
      ask({}, v.parse(profileQuery, query), undefined),
    );
    return answer.ok ? v.parse(profileAnswer, answer.value.body) : undefined;
  };
  return {
    clock,
    ports,
    renewProcesses,
    imports,
    kept,
    worker,
    front,
    moments,
    undoDeps,
    everybody,
    draining,
    drainAll,
    untilDone,
    settled,
    hour,
    ask,
    reading,
    deps,
    membersOf,
    namesOf,
    find,
    define: async (body: object): Promise<number> => (await imports.define(body)).id,
    replace: (importId: number, body: object) => {
      hour();
      const asked = ask({ import_id: importId }, {}, v.parse(importBody, body));
      return answered(replaceImport(deps, asked), importAnswer);
    },
    send,
    importFile,
    told,
    /** Sends refused rows again. The corrections name them by the first name. */
    retry: async (sent: SentFile, corrections: Readonly<Record<string, Cells>>) => {
      hour();
      const place = { harness: imports, ...sent };
      const csv = edited(await download(place), (row) => {
        const cells = corrections[row[columns.indexOf('first_name')] ?? ''];
        return (
          cells && [
            ...columns.map((column, at) => cells[column] ?? row[at] ?? ''),
            ...row.slice(columns.length),
          ]
        );
      });
      await answered(retryImportJob(deps, { ...asking(place, csv), now: clock.now }), batchAnswer);
      await workOff();
      await settle(sent);
      return told(sent);
    },
    undo: async (sent: SentFile) => {
      await askUndo(sent);
      await untilDone(() => runUndo(undoDeps, stepsOf(sent)));
      return (await told(sent)).undo;
    },
    /** Begins an undo, which has been at all people and waits for the index. */
    beginUndo: async (sent: SentFile) => {
      await askUndo(sent);
      const barrier = { isSettled: () => Promise.resolve(false) };
      await runUndo({ ...undoDeps, barrier }, stepsOf(sent));
    },
    post: async (record: object) => {
      hour();
      const asked = ask({}, {}, v.parse(recordSchema, record));
      const postDeps = { ...front, scopeOf, enrichment: deps.enrichment };
      const answer = await answered(createProfile(postDeps, asked), storedAnswer);
      await everybody();
      return answer;
    },
    ...rights({ ask, hour, table, kept, front, moments, scopeOf, drains }),
    /** Whether special categories are used, as an operator decides. Profiles follow once `followRules` has ended. */
    useSpecial: (isUsed: boolean): void => {
      kept.rules.specialCategories = isUsed;
    },
    /** Makes every profile follow the rules, as the pass over all people does. */
    followRules: async () => followRules(table, worker, await scopeOf(), clock.now),
    /** Switches the search by name on, before anybody is stored. */
    searchNames: (): void => {
      Object.assign(kept.rules, { searchNames: true, allNames: true });
    },
    /** The ids of the people whom a search by name finds: all there are. */
    findNamed: async (last_name: string, city?: string): Promise<readonly (string | null)[]> => {
      const asked = ask(
        {},
        v.parse(peopleQuery, { last_name, ...(city !== undefined && { city }) }),
        undefined,
      );
      const naming = { table, scopeOf, readProfiles: harness.profiles.readEach };
      const { profiles, complete } = await answered(findPeople(naming, asked), peopleAnswer);
      if (!complete) throw new Error(`the search for ${last_name} lacks somebody`);
      return profiles.map(({ unique_id }) => unique_id).sort();
    },
    segmentNamed: async (name: string): Promise<number> =>
      (await segments()).find((segment) => segment.name === name)?.id ?? 0,
    /** What everybody can see: name, id and address of each person, and the members of each segment of a value. */
    seen: async () => {
      const people = (await everybody()).map((one) => [one.first_name, one.unique_id, one.email]);
      const listed = (await segments()).filter(({ type }) => type !== 'moment' && type !== 'everyone');
      const members: Record<string, readonly string[]> = {};
      for (const { id, name } of listed) {
        members[name] = namesOf(await membersOf(id));
        if ((await countOf(id)) !== members[name].length) throw new Error(`${name} has another count`);
      }
      return { people: people.toSorted(), segments: members };
    },
    /** Everybody with the sources of all values. */
    explained: async () =>
      Promise.all(
        (await everybody()).map(({ profile_uuid }) =>
          find({ profile_uuid: profile_uuid ?? '', ...explaining }),
        ),
      ),
  };
};
export type ServiceInMemory = ReturnType<typeof serviceInMemory>;
