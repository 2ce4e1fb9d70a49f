/**
 * Member groups: reads the members of an expression group by group, for readers that walk over several expressions at
 * once.
 */
import { limits } from '../config/limits.ts';
import { mapAhead } from '../runtime/map-ahead.ts';
import { CHUNKS_PER_GROUP } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { openSources, type MembersOf, type Sources } from './expression-plan.ts';
import {
  readSnapshotWindow,
  readWindow,
  type MemberChunk,
  type SnapshotDeps,
  type Window,
} from './read-window.ts';

export interface MemberGroups {
  /** Groups that can have members, ascending. */
  readonly groups: readonly number[];
  /** The non-empty chunks of a group, ascending, read strongly; none for a group that is not in `groups`. */
  readonly read: (group: number) => Promise<readonly MemberChunk[]>;
}

/** Opens an expression: reads its directories now, and its chunks on demand. */
export const memberGroups = (table: Table, members: MembersOf): Promise<MemberGroups> =>
  groupsBy(table, members, (sources, window) => readWindow(table, sources, window));

/**
 * Opens an expression for snapshot reads: each chunk of a combination shows all of its segments at one point in time.
 * Moments and exports store such chunks. With several segments it costs twice the reads. Throws `UnavailableError` when
 * a chunk never stays unchanged for two reads.
 */
export const snapshotGroups = (deps: SnapshotDeps, members: MembersOf): Promise<MemberGroups> =>
  groupsBy(deps.table, members, (sources, window) => readSnapshotWindow(deps, sources, window));

/** The non-empty chunks of an expression in order of ordinal, read like those of `snapshotGroups`. */
export async function* snapshotChunks(deps: SnapshotDeps, members: MembersOf): AsyncGenerator<MemberChunk> {
  const source = await snapshotGroups(deps, members);
  for await (const chunks of mapAhead(source.groups, limits.segments.groupsAtOnce, source.read))
    yield* chunks;
}

const groupsBy = async (
  table: Table,
  members: MembersOf,
  read: (sources: Sources, window: Window) => Promise<readonly MemberChunk[]>,
): Promise<MemberGroups> => {
  const sources = await openSources(table, members);
  const whole = { first: 0, last: CHUNKS_PER_GROUP - 1 };
  const known = new Set(sources.groups);
  return {
    groups: sources.groups,
    read: (group) => (known.has(group) ? read(sources, { group, ...whole }) : Promise.resolve([])),
  };
};
