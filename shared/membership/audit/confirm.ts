import type { Brands } from '../../catalogue/brands.ts';
import type { BrandVersionSource } from '../../catalogue/brand-versions.ts';
import { limits } from '../../config/limits.ts';
import type { ResolvedProfile } from '../../profiles/types.ts';
import type { Pause } from '../../runtime/pause.ts';
import { chunkOf, groupOf, keys, offsetInChunk, type Key } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { hasBit, membersIn } from '../chunk.ts';
import { indexedSegmentsOf } from '../../catalogue/derive.ts';
import { readDirectories } from '../directory.ts';
import { identityKey } from '../../catalogue/identity.ts';
import type { Journal } from '../journal.ts';
import type { ReadProfiles } from '../profile-reader.ts';
import { visitPairs } from '../pairs.ts';
import type { IndexedIdentity, Pair } from '../../catalogue/types.ts';
import type { Suspects, Window } from './window.ts';

/** What confirming needs. */
export interface ConfirmDeps {
  readonly table: Table;
  /** While one version of them gives way to the other, a profile may say what either makes of it. */
  readonly brands: BrandVersionSource;
  readonly readProfiles: ReadProfiles;
  readonly journal: Pick<Journal, 'waiting'>;
  readonly pause: Pause;
}

/** The times at which a profile may say what the index shows: now, and when its birthday was last followed. */
export type Times = readonly number[];

/** A membership that is wrong. `holds`: what the index says. */
export interface Difference extends Pair {
  readonly holds: boolean;
}

/** What is wrong for certain, and how many memberships were being changed all the while. */
export interface Confirmed {
  readonly differences: readonly Difference[];
  readonly directories: readonly number[];
  readonly busy: number;
}

/**
 * Those suspects that no writer is about to set right. A change stands in the journal from before its profile is written until
 * after its chunk is. So what differs, is in no entry, and is just the same before and after the journal was read, is wrong.
 */
export const confirm = async (
  deps: ConfirmDeps,
  window: Window,
  { pairs, directories, segments }: Suspects,
  times: Times,
): Promise<Confirmed> => {
  const asked = { window, segments, times };
  const differences: Difference[] = [];
  const absent = new Set<number>();
  let left = pairs;
  let unsure: readonly number[] = directories;
  for (let look = 1; left.length + unsure.length > 0 && look <= limits.audits.looks; look += 1) {
    if (look > 1) await deps.pause(look);
    const before = await standing(deps, asked, left);
    const announced = await announcedIn(deps, window);
    const after = await standing(deps, asked, left);
    const named = await readDirectories(deps.table, window.property, unsure);
    const group = groupOf(window.from);
    for (const id of unsure)
      if (named.get(id)?.includes(group) === false && !announced?.segments.has(id)) absent.add(id);
    unsure = unsure.filter((id) => named.get(id)?.includes(group) === false && !absent.has(id));
    const again: Pair[] = [];
    left.forEach((pair, index) => {
      const [one, other] = [before[index], after[index]];
      if (!one || !other || one.right || other.right) return;
      const still = one.state === other.state && announced && !announced.pairs.has(nameOf(pair));
      if (still) differences.push({ ...pair, holds: other.holds });
      else again.push(pair);
    });
    left = again;
  }
  return { differences, directories: [...absent], busy: left.length };
};

interface Asked {
  readonly window: Window;
  readonly segments: ReadonlyMap<number, IndexedIdentity>;
  readonly times: Times;
}

/** How the index and a profile stand to each other. `state` names what was read of both. */
interface Standing {
  readonly right: boolean;
  readonly holds: boolean;
  readonly state: string;
}

const nameOf = ({ segment, ordinal }: Pair): string => `${segment}#${ordinal}`;

const standing = async (
  { table, readProfiles, brands }: ConfirmDeps,
  { window: { property }, segments, times }: Asked,
  pairs: readonly Pair[],
): Promise<readonly Standing[]> => {
  const chunkKey = ({ segment, ordinal }: Pair): Key =>
    keys.chunk(property, segment, groupOf(ordinal), chunkOf(ordinal));
  const items = await table.getMany(pairs.map(chunkKey));
  const { all } = await brands();
  const profiles = await readProfiles(property, [...new Set(pairs.map(({ ordinal }) => ordinal))]);
  return pairs.map(({ segment, ordinal }, index) => {
    const item = items[index];
    const profile = profiles.get(ordinal);
    const holds = hasBit(membersIn(item), offsetInChunk(ordinal));
    const says = (at: number): boolean =>
      all.some((version) => belongs(segments.get(segment), profile, { at, holds, version }) === holds);
    const state = `${item?.w ?? ''} ${JSON.stringify(profile ?? null)}`;
    return { right: times.some(says), holds, state };
  });
};

const belongs = (
  identity: IndexedIdentity | undefined,
  profile: ResolvedProfile | undefined,
  { at, holds, version }: { readonly at: number; readonly holds: boolean; readonly version: Brands },
): boolean => {
  if (!identity || !profile) return false;
  return identity.type === 'moment'
    ? holds
    : indexedSegmentsOf(profile, at, version).has(identityKey(identity));
};

/** What the journal announces of a group; nothing when that is more than can be looked at. */
const announcedIn = async ({ journal }: ConfirmDeps, { property, from }: Window) => {
  const group = groupOf(from);
  const { entries, more } = await journal.waiting(property, group);
  if (more) return undefined;
  const announced = { pairs: new Set<string>(), segments: new Set<number>() };
  for (const { pairs } of entries)
    visitPairs(pairs, group, (segment, ordinal) => {
      announced.segments.add(segment);
      announced.pairs.add(nameOf({ segment, ordinal }));
    });
  return announced;
};
