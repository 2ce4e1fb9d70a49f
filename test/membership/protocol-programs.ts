import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { finishForgetting, forgetPerson } from '../../shared/ingest/forget-person.ts';
import { ordinalSource } from '../../shared/ingest/ordinals.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { drainGroup, sweepJournal } from '../../shared/membership/drain.ts';
import { groupCommit, type GroupCommit } from '../../shared/membership/group-commit.ts';
import { journal, type Journal, type Lane } from '../../shared/membership/journal.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
import { processTracks, type Tracks } from '../../shared/membership/tracks.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import { keys } from '../../shared/table/keys.ts';
import type { Table } from '../../shared/table/table.ts';
import { accepted, scope } from '../profiles/harness.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { noNewcomers } from '../../shared/ingest/newcomers.ts';
import { noRestatements } from '../../shared/ingest/restatements.ts';
import { noUndoLog } from '../../shared/ingest/undo-log.ts';
import { unloadedBrands } from '../support/brands.ts';
import { viewOf } from '../support/table-view.ts';
import type { TableSabotage } from './protocol-model.ts';
import type { ResolvedProfile } from '../../shared/profiles/types.ts';

/** The ordinal of the only person. */
export const ORDINAL = 0;

/** An ordinal that never has an item. */
const NOBODY = 99;

/** The ports of a program. */
interface Given {
  readonly table: Table;
  readonly clock: Clock;
}

/** The program of one actor: the real code. */
export interface Program {
  readonly name: string;
  readonly run: (given: Given) => Promise<void>;
  /** The attempt that names its journal entry, and the lane of the entry; none for a program that opens no entry. */
  readonly entry?: { readonly attemptId: string; readonly lane: Lane };
  /** The redelivery after a crash. */
  readonly again?: Program;
}

/** Guards of the protocol that are left out. */
export interface Sabotage extends TableSabotage {
  /** The index's view of the table. */
  readonly indexed?: (table: Table) => Table;
  /** The writers' view of the journal. */
  readonly announced?: (journal: Journal) => Journal;
  /** The clock that decides whether an entry is ripe. */
  readonly ripeClock?: (clock: Clock) => Clock;
  /** The writers' view of the group commit. */
  readonly committed?: (commit: GroupCommit) => GroupCommit;
  /** The index reads profiles before chunks. */
  readonly profilesFirst?: boolean;
}

/** A process in a track of its own: it goes by no lease. */
const apart: Tracks = { of: () => 1, met: () => undefined, served: () => undefined };

const servicesOf = ({ table, clock }: Given, sabotage: Sabotage, tracks = processTracks(clock)) => {
  const profiles = profileRepository({ table });
  const pause = (): Promise<void> => Promise.resolve();
  const derivations = unloadedBrands;
  const catalogue = segmentCatalogue({ table, clock, derivations, pause });
  let early: readonly ResolvedProfile[] | undefined;
  const chunks = sabotage.indexed?.(table) ?? table;
  const readEarly = viewOf(chunks, {
    getMany: async (keys) => {
      early = [...(await profiles.readMany(scope.id, [ORDINAL])).values()];
      return chunks.getMany(keys);
    },
  });
  const membership = membershipIndex({
    ...{ catalogue, derivations, clock, pause },
    table: sabotage.profilesFirst === true ? readEarly : chunks,
    readProfiles: async function* (property, ordinals) {
      yield* early ?? profiles.readEach(property, ordinals);
    },
  });
  const log = journal({ table, clock });
  const ripe = journal({ table, clock: sabotage.ripeClock?.(clock) ?? clock });
  const announced = sabotage.announced?.(log) ?? log;
  const group = groupCommit({ table, clock, pause, journal: ripe, membership, tracks });
  const commit = sabotage.committed?.(group) ?? group;
  // The scenes have no moments; test/timelines covers forgetting in moments.
  const moments = {
    countsWith: () => Promise.resolve(new Map<number, number>()),
    remove: () => Promise.resolve(),
  };
  return {
    deflateFrom: 1,
    table,
    derivations,
    undoLog: noUndoLog,
    restatements: noRestatements,
    newcomers: noNewcomers,
    clock,
    pause,
    membership,
    commit,
    moments,
    segments: catalogue,
    log: ripe,
    journal: announced,
  };
};

/** The record of a writer: its level, its order of acceptance, and whether the writer or a drainer indexes it. */
interface Written {
  readonly level: string;
  readonly order: number;
  readonly index: 'now' | 'later';
  /** Whether it indexes without regard to leases. */
  readonly isApart: boolean;
}

const laneOf = (index: Written['index']): Lane => (index === 'now' ? 'request' : 'background');

/** The programs with the same guards left out. */
export const programsWith = (sabotage: Sabotage = {}) => {
  const known = new Map<string, Program>();
  const once = (name: string, make: () => Omit<Program, 'name'>): Program => {
    const program = known.get(name) ?? { name, ...make() };
    known.set(name, program);
    return program;
  };
  const write = ({ level, order, index, isApart }: Written, cause: string): Program['run'] => {
    const record = accepted({ unique_id: 'u', education_level: level }, order);
    return async (given) => {
      const tracks = isApart ? apart : processTracks(given.clock);
      const services = servicesOf(given, sabotage, tracks);
      const deps = { ...services, ordinals: ordinalSource(given.table, tracks) };
      await applyRecords(deps, scope, [record], { attemptId: cause, index });
    };
  };
  const drain = async (given: Given): Promise<void> => {
    const services = servicesOf(given, sabotage);
    const finish = (property: number, ordinal: number) => finishForgetting(services, property, ordinal);
    await drainGroup({ ...services, journal: services.log, finishForgetting: finish }, scope.id, 0);
  };
  return {
    /** A writer of the person's record. The redelivery after a crash has a cause of its own. */
    writer: (
      level: string,
      order: number,
      index: Written['index'],
      cause: string,
      isApart = false,
    ): Program => {
      const written = { level, order, index, isApart };
      const name = `${level} ${order} ${index}${isApart ? ' apart' : ''} ${cause}`;
      return once(name, () => ({
        run: write(written, cause),
        entry: { attemptId: cause, lane: laneOf(index) },
        again: once(`${name} again`, () => ({
          run: write(written, `${cause}-again`),
          entry: { attemptId: `${cause}-again`, lane: laneOf(index) },
        })),
      }));
    },
    forgetter: (cause: string): Program =>
      once(`forgets ${cause}`, () => ({
        run: async (given) => {
          await forgetPerson(servicesOf(given, sabotage), scope, ORDINAL, cause);
        },
        // Each person of a forgetting has an entry.
        entry: { attemptId: `${cause}-${ORDINAL}`, lane: 'background' },
      })),
    /** One pass of a drainer. */
    drainer: (): Program =>
      once('drainer', () => ({
        run: async (given) => {
          // The drain message can arrive at any time.
          await given.table.get(keys.profile(scope.id, NOBODY));
          await drain(given);
        },
      })),
    /** Sweeps the journal and runs the drains that the sweep requests. */
    sweeper: (): Program =>
      once('sweeper', () => ({
        run: async (given) => {
          const drains = new MemoryQueue();
          const ids = { uuid: () => 'u', nonce: () => '', hex: () => '' };
          await sweepJournal({ journal: servicesOf(given, sabotage).log, drains, ids });
          for (let left = drains.take().length; left > 0; left -= 1) await drain(given);
        },
      })),
  };
};
export type Programs = ReturnType<typeof programsWith>;
