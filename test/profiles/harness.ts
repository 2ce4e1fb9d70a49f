import { randomBytes } from 'node:crypto';
import { applyRecords, type ApplyDeps } from '../../shared/ingest/apply-records.ts';
import type { RecordOutcome } from '../../shared/profiles/types.ts';
import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import type { RestrictDeps } from '../../shared/ingest/restrict-person.ts';
import { noNewcomers } from '../../shared/ingest/newcomers.ts';
import { noRestatements } from '../../shared/ingest/restatements.ts';
import { noUndoLog } from '../../shared/ingest/undo-log.ts';
import { ordinalSource } from '../../shared/ingest/ordinals.ts';
import { processTracks } from '../../shared/membership/tracks.ts';
import { normalizeRecord } from '../../shared/profiles/normalize-record.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { noRules, rulesOf } from '../../shared/properties/rules.ts';
import type { PropertyScope } from '../../shared/properties/scope.ts';
import type { Table } from '../../shared/table/table.ts';
import { identityKey } from '../../shared/catalogue/identity.ts';
import type { JournalEntry } from '../../shared/membership/journal.ts';
import type { IndexedIdentity, Pair } from '../../shared/catalogue/types.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { unloadedBrands } from '../support/brands.ts';
import { singly } from '../../shared/membership/pairs.ts';

export const NOW = Date.UTC(2026, 0, 15, 12);

export const scope: PropertyScope = {
  id: 7,
  rules: rulesOf(noRules),
  keys: {
    uuid: { k1: randomBytes(16), k2: randomBytes(16) },
    claims: randomBytes(32),
    cursors: randomBytes(32),
    downloads: randomBytes(32),
    charts: randomBytes(32),
    externalIds: randomBytes(32),
    tokens: randomBytes(32),
  },
};

/** A record as sent, accepted as the `order`-th of its time. */
export const accepted = (
  sent: Readonly<Record<string, unknown>>,
  order = 0,
  more: Partial<AcceptedRecord> = {},
): AcceptedRecord => {
  const patch = normalizeRecord(sent, { now: NOW, tier: 1 });
  if (!patch.ok) throw new Error(JSON.stringify(patch.error));
  return { patch: patch.value, stamp: stampOf(NOW, order), ...more };
};

/** The calls to the index, in order. */
type IndexEvent =
  | { readonly kind: 'open' | 'extend'; readonly attemptId: string; readonly pairs: readonly Pair[] }
  | { readonly kind: 'close' | 'retire'; readonly attemptId: string }
  | { readonly kind: 'reindex'; readonly pairs: readonly Pair[] };

/** The segments in memory: ids by counting, the journal and the index as a list of calls. */
const indexInMemory = () => {
  const events: IndexEvent[] = [];
  const ids = new Map<string, number>();
  const idOf = (identity: IndexedIdentity): number => {
    const key = identityKey(identity);
    const id = ids.get(key) ?? ids.size + 1;
    ids.set(key, id);
    return id;
  };
  const deps: Pick<ApplyDeps, 'journal' | 'commit'> & Pick<RestrictDeps, 'segments'> = {
    segments: {
      idsOf: (_, identities) =>
        Promise.resolve(new Map(identities.map((identity) => [identityKey(identity), idOf(identity)]))),
      findIds: (_, identities) =>
        Promise.resolve(
          new Map(
            identities.flatMap((identity) => {
              const [key, id] = [identityKey(identity), ids.get(identityKey(identity))];
              return id === undefined ? [] : [[key, id] as const];
            }),
          ),
        ),
    },
    journal: {
      open: (property, attemptId, pairs) => {
        events.push({ kind: 'open', attemptId, pairs: singly(pairs) });
        return Promise.resolve({
          property,
          attemptId,
          opened: NOW,
          until: NOW + 120_000,
          writeUntil: NOW + 60_000,
          items: [],
          lane: 'request',
        });
      },
      extend: (entry, pairs) => {
        events.push({ kind: 'extend', attemptId: entry.attemptId, pairs: singly(pairs) });
        return Promise.resolve(entry);
      },
      close: ({ attemptId }: JournalEntry) => {
        events.push({ kind: 'close', attemptId });
        return Promise.resolve(true);
      },
      retire: ({ attemptId }: JournalEntry) =>
        Promise.resolve(void events.push({ kind: 'retire', attemptId })),
    },
    commit: {
      chunksAhead: () => Promise.resolve(undefined),
      alone: (_, pairs) => {
        events.push({ kind: 'reindex', pairs: singly(pairs) });
        return Promise.resolve(true);
      },
      untilIndexed: () => Promise.resolve(),
    },
  };
  return { events, ids, deps };
};

/** Gives out ordinals as a process of its own. */
export const ordinalsOf = (table: Table) => {
  const tracks = processTracks(() => NOW);
  return ordinalSource(table, tracks);
};

/** A table with everything that applies records to it. A part of the states of most tests is deflated. */
export const harnessOn = (table = new MemoryTable(), { newcomers = noNewcomers, deflateFrom = 200 } = {}) => {
  const { deps: index, events, ids } = indexInMemory();
  const deps: ApplyDeps & RestrictDeps = {
    table,
    clock: () => NOW,
    pause: () => Promise.resolve(),
    ordinals: ordinalsOf(table),
    newcomers,
    derivations: unloadedBrands,
    undoLog: noUndoLog,
    restatements: noRestatements,
    deflateFrom,
    ...index,
  };
  let attempt = 0;
  const apply = (
    records: readonly AcceptedRecord[],
    mode: 'now' | 'later' = 'later',
  ): Promise<readonly RecordOutcome[]> => {
    attempt += 1;
    return applyRecords(deps, scope, records, { attemptId: `attempt-${attempt}`, index: mode });
  };
  return { table, deps, apply, profiles: profileRepository({ table }), events, ids };
};
