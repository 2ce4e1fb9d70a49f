import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { finishForgetting, forgetPerson } from '../../shared/ingest/forget-person.ts';
import { ordinalSource } from '../../shared/ingest/ordinals.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { drainGroup, sweepJournal } from '../../shared/membership/drain.ts';
import { groupCommit, type GroupCommit } from '../../shared/membership/group-commit.ts';
import {
  cachedDerivations,
  type Derivations,
  type DerivationSource,
} from '../../shared/catalogue/derivation.ts';
import { propagationMs } from '../../shared/catalogue/look.ts';
import { journal, type Journal, type Lane } from '../../shared/membership/journal.ts';
import type { MembershipDeps } from '../../shared/membership/deps.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
import { processTracks, type Tracks } from '../../shared/membership/tracks.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import type { Table } from '../../shared/table/table.ts';
import { accepted, scope } from '../profiles/harness.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { noNewcomers } from '../../shared/ingest/newcomers.ts';
import { noRestatements } from '../../shared/ingest/restatements.ts';
import { noUndoLog } from '../../shared/ingest/undo-log.ts';
import { unloadedBrands } from '../support/brands.ts';
import { viewOf } from '../support/table-view.ts';
import {
  announceCondition,
  conditionsBefore,
  conditionsOn,
  lookAtConditions,
  spending,
} from './protocol-conditions.ts';
import { NEW, putInPlace, standStill } from './protocol-facts.ts';
import type { TableSabotage } from './protocol-model.ts';
import type { ResolvedProfile } from '../../shared/profiles/types.ts';

/** The ordinal of the only person. */
export const ORDINAL = 0;

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
  /**
   * Milliseconds by which the clock of a writer of profiles is behind once it has looked at what decides segments, from the
   * milliseconds that the look took.
   */
  readonly lagBehindLook?: (took: number) => number;
  /** How long whoever puts a new fact in place waits. */
  readonly waits?: (marginMs: number) => number;
  /** The request for a condition says since when it is listed. */
  readonly dates?: boolean;
  /** The index's view of the segments. */
  readonly known?: (ports: Known) => Known;
}

type Known = Pick<MembershipDeps, 'catalogue' | 'derivations'>;

/** A process in a track of its own: it goes by no lease. */
const apart: Tracks = { of: () => 1, met: () => undefined, served: () => undefined };

/** How a process of a scene differs from others. */
interface Process {
  readonly tracks?: Tracks;
  /** What decides segments, as this process reads it. */
  readonly derivations?: DerivationSource;
}

const servicesOf = (
  { table, clock }: Given,
  sabotage: Sabotage,
  { tracks = processTracks(clock), derivations = unloadedBrands }: Process = {},
) => {
  const profiles = profileRepository({ table });
  const pause = (): Promise<void> => Promise.resolve();
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
    ...(sabotage.known?.({ catalogue, derivations }) ?? { catalogue, derivations }),
    ...{ clock, pause },
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

/**
 * A process with a memory of what decides segments, read at its beginning. It stands still behind each look, while time may
 * go on.
 */
const whoLooks = async (given: Given, sabotage: Sabotage, known = cachedDerivations(given)) => {
  await known.of(scope.id);
  let lag = 0;
  const clock = (): number => given.clock() - lag;
  const of = async (property: number): Promise<Derivations> => {
    const asked = given.clock();
    const seen = await known.of(property);
    await standStill(given.table);
    lag = sabotage.lagBehindLook?.(given.clock() - asked) ?? 0;
    return seen;
  };
  const services = servicesOf(given, sabotage, { derivations: known });
  return { ...services, derivations: { ...known, of }, clock };
};

/** The record of a writer: its level, its order of acceptance, and whether the writer or a drainer indexes it. */
interface Written {
  readonly level: string;
  readonly order: number;
  readonly index: 'now' | 'later';
  /** Whether it indexes without regard to leases. */
  readonly isApart: boolean;
}

/** `announces`: the request for the condition comes first; `polls`: looks at the journal; `drains`: a drain comes last. */
interface Looking {
  readonly announces?: boolean;
  readonly polls?: number;
  readonly drains?: boolean;
}

/** What processes read of what decides segments: in most scenes there is nothing to read. */
export type Reads = 'nothing' | 'brands' | 'conditions';

const sources: Readonly<Record<Reads, (given: Given) => DerivationSource>> = {
  nothing: () => unloadedBrands,
  brands: cachedDerivations,
  conditions: conditionsOn,
};

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
      const services = servicesOf(given, sabotage, { tracks });
      const deps = { ...services, ordinals: ordinalSource(given.table, tracks) };
      await applyRecords(deps, scope, [record], { attemptId: cause, index });
    };
  };
  const drain = async (given: Given, derivations: DerivationSource): Promise<void> => {
    const services = servicesOf(given, sabotage, { derivations });
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
    drainer: (reads: Reads = 'nothing'): Program =>
      once(`drainer ${reads}`, () => ({
        run: async (given) => {
          // The drain message can arrive at any time.
          await standStill(given.table);
          await drain(given, sources[reads](given));
        },
      })),
    /** The same that has read the list of conditions just before its last change. */
    drainerBefore: (wasListed: boolean): Program =>
      once(`drainer before ${wasListed}`, () => ({
        run: (given) => drain(given, conditionsBefore(given, wasListed)),
      })),
    /** A writer, or forgetter, of a person who comes to like `NEW`, while a fact is put in place: see `protocol-facts.ts`. */
    liker: (level: string, cause: string): Program =>
      once(`likes ${level} ${cause}`, () => ({
        run: async (given) => {
          const services = await whoLooks(given, sabotage);
          const record = accepted({ unique_id: 'u', education_level: level, social_likes: [{ id: NEW }] }, 1);
          const deps = { ...services, ordinals: ordinalSource(given.table, processTracks(given.clock)) };
          await applyRecords(deps, scope, [record], { attemptId: cause, index: 'later' });
        },
        entry: { attemptId: cause, lane: 'background' },
      })),
    forgetterWhoLooks: (cause: string): Program =>
      once(`looks and forgets ${cause}`, () => ({
        run: async (given) => {
          await forgetPerson(await whoLooks(given, sabotage), scope, ORDINAL, cause);
        },
        entry: { attemptId: `${cause}-${ORDINAL}`, lane: 'background' },
      })),
    /**
     * A writer of a person who comes to meet the condition: see `protocol-conditions.ts`. `isBefore`: it has read the list
     * just before its last change.
     */
    spender: (level: string, cause: string, isBefore: boolean): Program =>
      once(`spends ${level} ${cause} ${isBefore}`, () => ({
        run: async (given) => {
          const derivations = isBefore ? conditionsBefore(given, false) : conditionsOn(given);
          const services = await whoLooks(given, sabotage, derivations);
          const record = accepted({ unique_id: 'u', education_level: level, ...spending }, 1);
          const deps = { ...services, ordinals: ordinalSource(given.table, processTracks(given.clock)) };
          await applyRecords(deps, scope, [record], { attemptId: cause, index: 'later' });
        },
        entry: { attemptId: cause, lane: 'background' },
      })),
    /** The looks at a condition that is prepared or removed, so many at most. */
    conditioner: (looks: number, { announces = false, polls = 0, drains = false }: Looking = {}): Program =>
      once(`looks at conditions ${looks} ${announces} ${polls} ${drains}`, () => ({
        run: async (given) => {
          if (announces) await announceCondition(given, sabotage.dates === true);
          const log = journal(given);
          const waits = sabotage.waits ?? propagationMs;
          await lookAtConditions({
            ...{ ...given, looks, polls, waits },
            journal: sabotage.announced?.(log) ?? log,
          });
          if (drains) await drain(given, conditionsOn(given));
        },
        entry: { attemptId: 'fill-u', lane: 'background' },
      })),
    /** Puts a new fact in place. */
    preparer: (cause: string): Program =>
      once(`prepares ${cause}`, () => ({
        run: ({ table, clock }) =>
          putInPlace({
            ...{ table, clock, journal: journal({ table, clock }), attemptId: cause, ordinal: ORDINAL },
            waits: sabotage.waits ?? propagationMs,
          }),
        entry: { attemptId: cause, lane: 'background' },
      })),
    /** Sweeps the journal and runs the drains that the sweep requests. `reads` as for a drainer. */
    sweeper: (reads: Reads = 'nothing'): Program =>
      once(`sweeper ${reads}`, () => ({
        run: async (given) => {
          const drains = new MemoryQueue();
          const ids = { uuid: () => 'u', nonce: () => '', hex: () => '' };
          await sweepJournal({ journal: servicesOf(given, sabotage).log, drains, ids });
          for (let left = drains.take().length; left > 0; left -= 1)
            await drain(given, sources[reads](given));
        },
      })),
  };
};
export type Programs = ReturnType<typeof programsWith>;
