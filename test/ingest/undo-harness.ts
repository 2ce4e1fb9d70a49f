import type { SegmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import type { DerivationSource } from '../../shared/catalogue/derivation.ts';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { forgetPerson } from '../../shared/ingest/forget-person.ts';
import { momentMembers } from '../../shared/membership/moments.ts';
import { profileWriter } from '../../shared/ingest/profile-writer.ts';
import {
  blocksOf,
  restatementsIn,
  restatementsOfRequests,
  type Restatements,
} from '../../shared/ingest/restatements.ts';
import { noUndoLog, undoLog } from '../../shared/ingest/undo-log.ts';
import { importRepository } from '../../shared/imports/repository/repository.ts';
import { runUndo } from '../../shared/imports/undo/run-undo.ts';
import { newUndo } from '../../shared/imports/undo/undo-import-job.ts';
import { contributionOf, type AcceptedRecord } from '../../shared/profiles/contribution.ts';
import {
  importOrigin,
  jobOfOrigin,
  emptyState,
  mergeStates,
  type State,
} from '../../shared/profiles/profile-state.ts';
import { parseEntry } from '../../shared/profiles/stored-profile.ts';
import { NEVER } from '../../shared/runtime/hybrid-timestamp.ts';
import type { RecordOutcome } from '../../shared/profiles/types.ts';
import type { PropertyScope } from '../../shared/properties/scope.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { PROFILES_PER_BLOCK } from '../../shared/table/keys.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import type { Table } from '../../shared/table/table.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { referencesHarness } from '../references/harness.ts';
import { unloadedBrands } from '../support/brands.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import type { MemoryTable } from '../support/memory-table.ts';
import { TurnTable } from './interleave.ts';

/** The definition of all jobs. */
const DEFINITION = 7_001;
const jobId = (job: number): number => scopedId(scope.id, job);
/** The ids of jobs, in the order in which they were made. */
export const jobs = [jobId(11), jobId(12), jobId(13), jobId(14)] as const;

interface HarnessOptions {
  /** Indexes what was announced; without it, an undo takes for granted that the index shows everything. */
  readonly settle?: () => Promise<void>;
  /** The segments that a warm process knows; without it, each call knows none. */
  readonly catalogue?: SegmentCatalogue;
  /** Stores restatements in the cheapest way; without it, beside each person, also where a write costs no more. */
  readonly cheapest?: boolean;
  /** The property with the rules of the moment. */
  readonly scopeNow?: () => PropertyScope;
  /** What decides segments; without it, no brands and no conditions. */
  readonly derivations?: DerivationSource;
}

/** Tests deflate a part of their states. */
const SOME_BYTES = 200;

/**
 * Writers of jobs and of requests, and undos, on one table and one store of objects. Each call is a process of its own.
 */
export const undoHarness = (
  table: Table,
  work: MemoryObjects,
  {
    settle = () => Promise.resolve(),
    catalogue,
    cheapest = false,
    scopeNow = () => scope,
    derivations = unloadedBrands,
  }: HarnessOptions = {},
) => {
  const time = { now: NOW };
  const surroundings = { table, clock: () => time.now, pause: () => Promise.resolve() };
  const imports = importRepository(surroundings);
  const log = undoLog({ work, undoneAmong: imports.undoneAmong });
  const restatementsOn = (own: Table): Restatements => {
    const stored = restatementsIn({ ...surroundings, table: own, undoneAmong: imports.undoneAmong });
    return cheapest ? stored : besideAll(stored);
  };
  const writerOn = (own: Table) =>
    profileWriter(
      {
        ...surroundings,
        table: own,
        derivations,
        undoLog: log,
        restatements: restatementsOn(own),
        deflateFrom: SOME_BYTES,
      },
      catalogue,
    );
  const requestWriter = {
    ...writerOn(table),
    undoLog: noUndoLog,
    restatements: restatementsOfRequests(table),
  };
  let attempts = 0;
  const attempt = (): string => `attempt-${(attempts += 1)}`;
  const apply = (records: readonly AcceptedRecord[], own = table): Promise<readonly RecordOutcome[]> =>
    applyRecords(writerOn(own), scopeNow(), records, {
      attemptId: attempt(),
      index: 'later',
      repeated: true,
    });
  /** Stores a record as a request does, newer than everything that is stored. */
  const post = (record: AcceptedRecord): Promise<readonly RecordOutcome[]> =>
    applyRecords(requestWriter, scopeNow(), [{ ...record, latest: true }], {
      ...{ attemptId: attempt(), index: 'now' },
    });
  const addJob = (id: number): Promise<void> =>
    imports.addJob({
      ...{ id, property: scope.id, import: DEFINITION, revision: 1, name: 'job', created: NOW },
      ...{ dryRun: false, phase: 'open', file: null },
    });
  /** Asks for the undo of a job, as the route does. */
  const ask = async (id: number): Promise<void> => {
    const job = await imports.job(scope.id, id);
    if (!job || job.undo) return;
    await imports.updateJob(job, { undo: newUndo(NOW) });
  };
  const step = (job: number, own = table) =>
    runUndo(
      {
        ...writerOn(own),
        imports: importRepository({ ...surroundings, table: own }),
        work,
        barrier: { isSettled: () => settle().then(() => true) },
        scopeOf: () => Promise.resolve(scopeNow()),
        ids: systemIds,
        referrers: referencesHarness(own).referrers,
        measure: () => Promise.resolve(),
      },
      { property: scope.id, import: DEFINITION, job },
    );
  /** Undoes a job to its end, or gives up: the undo of another job that died may have the turn. */
  const undo = async (job: number, own = table): Promise<boolean> => {
    await ask(job);
    for (let steps = 0; steps < 20; steps += 1) if ((await step(job, own)).done) return true;
    return false;
  };
  const countsOf = async (job: number) => {
    const found = await imports.job(scope.id, job);
    if (!found?.undo) throw new Error('The job was not undone.');
    const { values, people, segments, finished } = found.undo;
    return { values, people, segments, finished };
  };
  const forget = (ordinal: number) => {
    const writer = writerOn(table);
    return forgetPerson({ ...writer, moments: momentMembers(writer) }, scope, ordinal, attempt());
  };
  /** The stored states, merged with the restatements of all jobs that were not undone. */
  const wholeStates = async (items: Pick<MemoryTable, 'items'>): Promise<ReadonlyMap<number, State>> => {
    const stored = storedStates(items);
    const restated = await writerOn(table).restatements.over(scope.id, NEVER, stored);
    return new Map(
      [...stored].map(([ordinal, state]) => [
        ordinal,
        mergeStates(state, restated.get(ordinal) ?? emptyState),
      ]),
    );
  };
  return { time, apply, post, forget, addJob, ask, step, undo, countsOf, imports, wholeStates };
};

/** The same with jobs on a table in memory. It notes what became of the records that are stored. */
export const withJobs = async <T extends MemoryTable>(
  table: T,
  jobs: readonly number[],
  { work = new MemoryObjects(), ...options }: HarnessOptions & { readonly work?: MemoryObjects } = {},
) => {
  const harness = undoHarness(table, work, options);
  for (const job of jobs) await harness.addJob(job);
  const applied = new Map<AcceptedRecord, RecordOutcome>();
  const note = (records: readonly AcceptedRecord[], outcomes: readonly RecordOutcome[]) => {
    records.forEach((record, at) => {
      const outcome = outcomes[at];
      if (outcome) applied.set(record, outcome);
    });
    return outcomes[0];
  };
  return {
    ...{ table, work, harness },
    /** The outcomes of records, those of their last application. */
    applied,
    all: (): readonly Applied[] => [...applied].map(([record, outcome]) => ({ record, outcome })),
    /** Stores a batch. Returns the first outcome. */
    store: async (...records: readonly AcceptedRecord[]) => note(records, await harness.apply(records)),
    /** Stores a record as a request does. */
    post: async (record: AcceptedRecord) => note([record], await harness.post(record)),
  };
};

/** The same, where every operation on the table and on objects waits for its turn. */
export const scheduledHarness = (jobs: readonly number[], options: HarnessOptions = {}) => {
  const table = new TurnTable();
  // An operation on an object is an operation on the table, too.
  const work = new MemoryObjects(async () => {
    await table.get({ pk: 'OBJECT', sk: 'OBJECT' });
  });
  return withJobs(table, jobs, { ...options, work });
};

/** Restatements that are stored beside their people, also where a write of the profile costs no more. */
export const besideAll = (restatements: Restatements): Restatements => ({
  ...restatements,
  choose: (all) => ({ blocks: blocksOf(all), written: new Set() }),
});

/** A record of a job, accepted as the `order`-th of all. */
export const ofJob = (job: number, sent: Readonly<Record<string, unknown>>, order: number): AcceptedRecord =>
  accepted(sent, order, { origin: importOrigin(DEFINITION, job) });

/** A record with the outcome of its last application. */
export interface Applied {
  readonly record: AcceptedRecord;
  readonly outcome: RecordOutcome;
}

/** The states that the records leave, except those of the undone jobs, by ordinal: the plain merge. */
export const mergeOf = (
  applied: readonly Applied[],
  undone: ReadonlySet<number>,
): ReadonlyMap<number, State> => {
  const states = new Map<number, State>();
  for (const { record, outcome } of applied) {
    if (outcome.kind === 'refused' || outcome.kind === 'forgotten') continue;
    if (undone.has(jobOfOrigin(record.origin ?? '') ?? NaN)) continue;
    const lost = new Set(outcome.warnings.map(({ detail }) => /^The (\w+)/.exec(detail)?.[1]));
    const kept = record.patch.identities.filter(({ kind }) => !lost.has(kind));
    const own = contributionOf(record, kept, outcome.stamp);
    states.set(outcome.ordinal, mergeStates(states.get(outcome.ordinal) ?? emptyState, own));
  }
  return states;
};

/** The stored states with a value, by ordinal. */
export const storedStates = (table: Pick<MemoryTable, 'items'>): ReadonlyMap<number, State> => {
  const states = new Map<number, State>();
  for (const item of table.items()) {
    if (kindOfKey(item.pk) !== 'profile') continue;
    const entry = parseEntry(item);
    if (entry.kind !== 'profile' || entry.state.size === 0) continue;
    states.set(Number(item.pk.split('#').at(-1)) * PROFILES_PER_BLOCK + Number(item.sk), entry.state);
  }
  return states;
};

/** States in a form that can be compared. */
export const comparable = (states: ReadonlyMap<number, State>): unknown =>
  [...states]
    .filter(([, state]) => state.size > 0)
    .sort(([a], [b]) => a - b)
    .map(([ordinal, state]) => [ordinal, [...state.values()].map((one) => JSON.stringify(one)).sort()]);

/** What states say, without when and where it was said. A restatement that arrives late leaves both as they are. */
export const said = (states: ReadonlyMap<number, State>): unknown =>
  [...states]
    .filter(([, state]) => state.size > 0)
    .sort(([a], [b]) => a - b)
    .map(([ordinal, state]) => [
      ordinal,
      [...state].map(([key, { value }]) => `${key} ${JSON.stringify(value)}`).sort(),
    ]);
