/** Rehearsal: applies records by the real rules without storing anything, and tells what the records would do. */
import { isDeepStrictEqual } from 'node:util';
import type { Derivation, DerivationSource } from '../catalogue/derivation.ts';
import { identityKey } from '../catalogue/identity.ts';
import type { SegmentIdentity } from '../catalogue/types.ts';
import type { AcceptedRecord } from '../profiles/contribution.ts';
import { identityRef, ownershipOf, parseClaim, type IdentityRef } from '../profiles/identity-claims.ts';
import type { State } from '../profiles/profile-state.ts';
import { holdsIdentity, identitiesOf, resolveProfile } from '../profiles/resolve-profile.ts';
import { parseEntry, timesAt, type OrdinalEntry } from '../profiles/stored-profile.ts';
import type { RecordOutcome } from '../profiles/types.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { HOUR_MS, type Clock } from '../runtime/clock.ts';
import type { Pause } from '../runtime/pause.ts';
import { keys } from '../table/keys.ts';
import { OverlayTable } from '../table/overlay-table.ts';
import type { Table } from '../table/table.ts';
import { madeSegments, segmentsOfRecord, type RecordContext } from './record-segments.ts';
import { applyRecords, type ApplyDeps } from './apply-records.ts';
import { noNewcomers } from './newcomers.ts';
import { noRestatements } from './restatements.ts';

/** Ports of a rehearsal. The table is only read. */
export interface RehearsalDeps {
  readonly table: Pick<Table, 'getMany' | 'query'>;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly derivations: DerivationSource;
}

/** A person as rehearsed records leave the person. */
export interface RehearsedPerson {
  /** The ordinal of a stored profile; `null` for a new person. */
  readonly ordinal: number | null;
  /** Whether a value of a stored profile would differ. */
  readonly isChanged: boolean;
  /** The segments that exist only once somebody is in them, by `identityKey`. */
  readonly segments: ReadonlyMap<string, SegmentIdentity>;
}

/** An identity of a rehearsed record: its hash, and the ordinal of the stored profile that has it. */
export interface RehearsedIdentity {
  readonly hash: string;
  readonly owner: number | null;
}

/** A record that would be stored. */
export interface RehearsedRecord {
  /** Position of its person among the people. */
  readonly person: number;
  /** Hash of its `unique_id`. */
  readonly uniqueId: string | null;
  /** Strongest first. */
  readonly identities: readonly RehearsedIdentity[];
  /** Those segments of its person that its values alone make, by `identityKey`. */
  readonly segments: readonly string[];
}

/** What rehearsed records would do. */
export interface Findings {
  readonly people: readonly RehearsedPerson[];
  /** In the order of the rows. */
  readonly records: readonly RehearsedRecord[];
  /** The hash of the `unique_id` of each stored profile that has an identity of a record. */
  readonly owners: ReadonlyMap<number, string | null>;
}

/** A rehearsal of the records of one batch. */
export interface Rehearsal {
  /** Applies records after those of earlier calls. Several calls may run at once, as writers do. */
  apply(records: readonly AcceptedRecord[]): Promise<readonly RecordOutcome[]>;
  /** What all records so far would do. */
  findings(): Promise<Findings>;
}

/** Ordinals of rehearsed people: above those of every property. */
const FIRST_ORDINAL = 2 ** 41;

/** Characters of the hash of an identity: 132 bits. */
const HASH_LENGTH = 22;

/** Begins a rehearsal on the present state of a property. */
export const rehearse = (deps: RehearsalDeps, scope: PropertyScope): Rehearsal => {
  const table = new OverlayTable(deps.table);
  const ports = applyPorts(deps, table);
  const stored: StoredRecord[] = [];
  let calls = 0;
  return {
    apply: async (records) => {
      calls += 1;
      const options = { attemptId: `rehearsal-${calls}`, index: 'later' } as const;
      const outcomes = await applyRecords(ports, scope, records, options);
      outcomes.forEach((outcome, index) => {
        const record = records[index];
        if (record && (outcome.kind === 'created' || outcome.kind === 'updated'))
          stored.push({ record, ordinal: outcome.ordinal });
      });
      return outcomes;
    },
    findings: async () => {
      const derivations = (await deps.derivations.of(scope.id)).all;
      const context = { scope, table, now: deps.clock(), derivations };
      stored.sort((one, other) => (one.record.stamp < other.record.stamp ? -1 : 1));
      return findingsOf(context, stored);
    },
  };
};

interface StoredRecord {
  readonly record: AcceptedRecord;
  readonly ordinal: number;
}

interface Context {
  readonly scope: PropertyScope;
  readonly table: OverlayTable;
  readonly now: number;
  readonly derivations: readonly Derivation[];
}

const findingsOf = async (context: Context, stored: readonly StoredRecord[]): Promise<Findings> => {
  const { scope, table } = context;
  const ordinals = [...new Set(stored.map(({ ordinal }) => ordinal))];
  const places = new Map(ordinals.map((ordinal, index) => [ordinal, index]));
  const items = await table.getMany(ordinals.map((ordinal) => keys.profile(scope.id, ordinal)));
  const people = ordinals.map((ordinal, index) => personOf(context, ordinal, parseEntry(items[index])));
  const owners = new Map<number, string | null>();
  const records = stored.map(({ record, ordinal }): RehearsedRecord => {
    const refs = record.patch.identities.map((identity) => identityRef(scope, identity));
    const identities = refs.map((ref) => {
      const owner = ownerOf(context, ref);
      if (owner) owners.set(owner.ordinal, uniqueIdOf(scope, owner.state));
      return { hash: hashOf(ref), owner: owner?.ordinal ?? null };
    });
    const unique = refs.find(({ kind }) => kind === 'unique_id');
    const place = places.get(ordinal) ?? 0;
    const own = segmentsOfRecord(record, segmentContext(context)).keys();
    const segments = [...own].filter((key) => people[place]?.segments.has(key));
    return { person: place, uniqueId: unique ? hashOf(unique) : null, identities, segments };
  });
  return { people, records, owners };
};

const hashOf = ({ key }: IdentityRef): string => key.pk.slice(-HASH_LENGTH);

const uniqueIdOf = (scope: PropertyScope, state: State): string | null => {
  const own = identitiesOf(state).find(({ kind }) => kind === 'unique_id');
  return own ? hashOf(identityRef(scope, own)) : null;
};

/** The stored profile that has an identity, as it was before the rehearsal. */
const ownerOf = (
  { scope, table }: Context,
  ref: IdentityRef,
): { readonly ordinal: number; readonly state: State } | undefined => {
  const entries = { get: (ordinal: number) => entryBefore(table, scope, ordinal) };
  const { owner } = ownershipOf(entries, parseClaim(table.original(ref.key)));
  if (owner?.entry.kind !== 'profile' || !holdsIdentity(owner.entry.state, ref)) return undefined;
  return { ordinal: owner.ordinal, state: owner.entry.state };
};

/** The entry at an ordinal before the rehearsal. */
const entryBefore = (table: OverlayTable, scope: PropertyScope, ordinal: number): OrdinalEntry =>
  parseEntry(table.original(keys.profile(scope.id, ordinal)));

const segmentContext = ({ scope, now, derivations }: Context): RecordContext => ({
  rules: scope.rules,
  now,
  derivations,
});

const personOf = (context: Context, ordinal: number, after: OrdinalEntry): RehearsedPerson => {
  const { scope, table, now } = context;
  if (after.kind !== 'profile') throw new Error('profiles: a rehearsed person has no profile');
  const before = entryBefore(table, scope, ordinal);
  const profile = resolveProfile(after.state, ordinal, timesAt(now, after));
  const segments = madeSegments(profile, segmentContext(context));
  if (before.kind !== 'profile') return { ordinal: null, isChanged: false, segments };
  const isChanged =
    identitiesOf(after.state).length !== identitiesOf(before.state).length ||
    !isDeepStrictEqual(profile, resolveProfile(before.state, ordinal, timesAt(now, before)));
  return { ordinal, isChanged, segments };
};

/** The ports of the record writer, with nothing behind them but the overlay. */
const applyPorts = ({ clock, pause, derivations }: RehearsalDeps, table: Table): ApplyDeps => {
  let ordinal = FIRST_ORDINAL;
  const ids = new Map<string, number>();
  const idOf = (key: string): number => {
    const id = ids.get(key) ?? ids.size;
    ids.set(key, id);
    return id;
  };
  return {
    table,
    clock,
    pause,
    derivations,
    // Nobody stores the overlay.
    deflateFrom: Number.POSITIVE_INFINITY,
    ordinals: { take: (_, count) => Promise.resolve(Array.from({ length: count }, () => (ordinal += 1))) },
    segments: {
      idsOf: (_, identities) =>
        Promise.resolve(new Map(identities.map(identityKey).map((key) => [key, idOf(key)]))),
    },
    journal: {
      open: (property, attemptId) => {
        const opened = clock();
        const until = opened + HOUR_MS;
        return Promise.resolve({
          property,
          attemptId,
          opened,
          until,
          writeUntil: until,
          items: [],
          lane: 'background',
        });
      },
      extend: (entry) => Promise.resolve(entry),
      close: () => Promise.resolve(true),
      retire: () => Promise.resolve(),
    },
    commit: {
      chunksAhead: () => Promise.resolve(undefined),
      alone: () => Promise.resolve(true),
      untilIndexed: () => Promise.resolve(),
    },
    newcomers: noNewcomers,
    restatements: noRestatements,
    undoLog: {
      add: () => Promise.resolve(new Set<number>()),
      undoneAmong: () => Promise.resolve(new Set<number>()),
    },
  };
};
