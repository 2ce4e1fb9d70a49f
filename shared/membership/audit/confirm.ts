/** Audit confirmation: separates wrong memberships from memberships that a writer is changing right now. */
import { hash } from 'node:crypto';
import type { Derivation, DerivationSource } from '../../catalogue/derivation.ts';
import { limits } from '../../config/limits.ts';
import type { ResolvedProfile } from '../../profiles/types.ts';
import type { Pause } from '../../runtime/pause.ts';
import { chunkOf, groupOf, keys, offsetInChunk, type Key } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { hasBit, membersIn, readDirectories } from '../chunk.ts';
import { indexedSegmentsOf } from '../../catalogue/derive.ts';
import { identityKey } from '../../catalogue/identity.ts';
import type { Journal } from '../journal.ts';
import { blocksIn, pairName } from '../pairs.ts';
import type { ReadProfiles } from '../../profiles/profile-repository.ts';
import type { IndexedIdentity, Pair } from '../../catalogue/types.ts';
import type { Suspects, Window } from './window.ts';

export interface ConfirmDeps {
  readonly table: Table;
  /** While two derivations are in use, the index may follow either. */
  readonly derivations: DerivationSource;
  readonly readProfiles: ReadProfiles;
  readonly journal: Pick<Journal, 'waiting'>;
  readonly pause: Pause;
}

/** The times at which the index may be right: now, and days since the last that the calendars job has followed. */
export type Times = readonly number[];

/** A wrong membership. `holds`: whether the index contains it. */
export interface Difference extends Pair {
  readonly holds: boolean;
}

/** The certain differences, and the number of memberships that kept changing during the audit. */
export interface Confirmed {
  readonly differences: readonly Difference[];
  readonly directories: readonly number[];
  readonly busy: number;
}

/**
 * The suspects that no writer is about to fix. A change is in the journal from before its profile is written until
 * after its chunk is written. So a membership is wrong if it differs, is in no journal entry, and is unchanged before
 * and after the journal was read.
 */
export const confirm = async (
  deps: ConfirmDeps,
  window: Window,
  { pairs, directories, segments }: Suspects,
  times: Times,
): Promise<Confirmed> => {
  const request = { window, segments, times };
  const differences: Difference[] = [];
  const absent = new Set<number>();
  let left = pairs;
  let unsure: readonly number[] = directories;
  for (let look = 1; left.length + unsure.length > 0 && look <= limits.audits.looks; look += 1) {
    if (look > 1) await deps.pause(look);
    const before = await observe(deps, request, left);
    const journaled = await journaledIn(deps, window, left);
    const after = await observe(deps, request, left);
    const named = await readDirectories(deps.table, window.property, unsure);
    const group = groupOf(window.from);
    for (const id of unsure)
      if (named.get(id)?.includes(group) === false && !journaled?.segments.has(id)) absent.add(id);
    unsure = unsure.filter((id) => named.get(id)?.includes(group) === false && !absent.has(id));
    const again: Pair[] = [];
    left.forEach((pair, index) => {
      const [one, other] = [before[index], after[index]];
      if (!one || !other || one.right || other.right) return;
      const still = one.state === other.state && journaled && !journaled.names(pair);
      if (still) differences.push({ ...pair, holds: other.holds });
      else again.push(pair);
    });
    left = again;
  }
  return { differences, directories: [...absent], busy: left.length };
};

interface ObserveRequest {
  readonly window: Window;
  readonly segments: ReadonlyMap<number, IndexedIdentity>;
  readonly times: Times;
}

/** A membership in the index compared with its profile. `state` identifies the state of both. */
interface Observation {
  readonly right: boolean;
  readonly holds: boolean;
  readonly state: string;
}

const observe = async (
  { table, readProfiles, derivations }: ConfirmDeps,
  { window: { property }, segments, times }: ObserveRequest,
  pairs: readonly Pair[],
): Promise<readonly Observation[]> => {
  const chunkKey = ({ segment, ordinal }: Pair): Key =>
    keys.chunk(property, segment, groupOf(ordinal), chunkOf(ordinal));
  const items = await table.getMany(pairs.map(chunkKey));
  const { all } = await derivations.of(property);
  const look = (index: number, { segment, ordinal }: Pair, profile?: ResolvedProfile): Observation => {
    const item = items[index];
    const holds = hasBit(membersIn(item), offsetInChunk(ordinal));
    const says = (at: number): boolean =>
      all.some((derivation) => belongs(segments.get(segment), profile, { at, holds, derivation }) === holds);
    const state = `${item?.w ?? ''} ${hash('sha256', JSON.stringify(profile ?? null))}`;
    return { right: times.some(says), holds, state };
  };
  const observed = new Map<number, Observation>();
  const byOrdinal = Map.groupBy(pairs.entries(), ([, { ordinal }]) => ordinal);
  for await (const profile of readProfiles(property, byOrdinal.keys())) {
    for (const [index, pair] of byOrdinal.get(profile.ordinal) ?? [])
      observed.set(index, look(index, pair, profile));
  }
  return pairs.map((pair, index) => observed.get(index) ?? look(index, pair));
};

const belongs = (
  identity: IndexedIdentity | undefined,
  profile: ResolvedProfile | undefined,
  {
    at,
    holds,
    derivation,
  }: { readonly at: number; readonly holds: boolean; readonly derivation: Derivation },
): boolean => {
  if (!identity || !profile) return false;
  return identity.type === 'moment'
    ? holds
    : indexedSegmentsOf(profile, at, derivation).has(identityKey(identity));
};

/** What the journal entries of a group name: segments, and which of some pairs. */
interface Journaled {
  readonly segments: ReadonlySet<number>;
  readonly names: (pair: Pair) => boolean;
}

/** What the journal entries of a group name of some pairs; undefined when there are too many to read. */
const journaledIn = async (
  { journal }: ConfirmDeps,
  { property, from }: Window,
  pairs: readonly Pair[],
): Promise<Journaled | undefined> => {
  const group = groupOf(from);
  const { entries, more } = await journal.waiting(property, group);
  if (more) return undefined;
  const wanted = new Map(
    [...Map.groupBy(pairs, ({ segment }) => segment)].map(([segment, own]) => [
      segment,
      new Set(own.map(({ ordinal }) => ordinal)),
    ]),
  );
  const named = new Set<string>();
  const all = new Set<number>();
  for (const { segments, ordinals } of entries.flatMap((entry) => blocksIn(entry.pairs, group))) {
    for (const segment of segments) {
      all.add(segment);
      const own = wanted.get(segment);
      if (own)
        for (const ordinal of ordinals) if (own.has(ordinal)) named.add(pairName({ segment, ordinal }));
    }
  }
  return { segments: all, names: (pair) => named.has(pairName(pair)) };
};
