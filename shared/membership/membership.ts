import { manyRounds, nextRound } from '../runtime/retry.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import { and, encodeChunk, hasBit, membersIn, noBits, setBit, type Bits } from './chunk.ts';
import { directoryWriter, type DirectoryWriter } from './directory.ts';
import { frameOf, isCurrentFrame, type IndexFrame } from './index-frame.ts';
import { groupsOfWorks, IndexWork, type ChunkWork } from './index-work.ts';
import { membersByProfiles } from './members-by-profiles.ts';
import { dirtyGroupTracker } from './sizes/dirty-groups.ts';
import type { Pair } from '../catalogue/types.ts';
import type { MembershipDeps } from './profile-reader.ts';

/** Brings memberships up to date with the profiles. */
export interface MembershipIndex {
  /** When this returns, the index shows each of these memberships as the profiles were at the call, or later. */
  reindex(property: { readonly id: number }, pairs: Iterable<Pair>): Promise<void>;
  /** The same for memberships gathered by chunk. */
  reindexWork(property: number, work: IndexWork): Promise<void>;
}

/**
 * The index on the table: per segment a bitmap in chunks. A chunk is read, THEN the profiles, THEN the chunk is written
 * on condition that it is as it was read; so of two writers the one that saw older profiles is refused. It is written
 * even when nothing changes, for the new nonce refuses whoever read before. Chunks are never deleted.
 */
export const membershipIndex = (deps: MembershipDeps): MembershipIndex => {
  const directories = directoryWriter(deps);
  const touches = dirtyGroupTracker(deps);
  const reindexWork = async (property: number, work: IndexWork): Promise<void> => {
    const groups = work.groups();
    await touches.note(property, groups);
    await directories.ensure(property, groups);
    const stepDeps = { ...deps, directories, touches };
    for (const step of work.steps(property)) await reindexStep(stepDeps, property, step);
  };
  return {
    reindexWork,
    reindex: async ({ id }, pairs) => {
      const work = new IndexWork();
      for (const { segment, ordinal } of pairs) work.add(segment, ordinal);
      await reindexWork(id, work);
    },
  };
};

interface StepDeps extends MembershipDeps {
  readonly directories: DirectoryWriter;
  readonly touches: ReturnType<typeof dirtyGroupTracker>;
}

const reindexStep = async (deps: StepDeps, property: number, step: readonly ChunkWork[]): Promise<void> => {
  let frame = await openFrame(deps, property, step);
  let pending = frame.works;
  for (let round = 0; pending.length > 0; round += 1) {
    await nextRound(deps.pause, round, manyRounds, `membership: ${pending.length} chunks`);
    const changes = await readChanges(deps, property, pending, frame);
    // Asked after the chunks were read: from then on they are refused to whoever knows less.
    if (isCurrentFrame(frame, await deps.brands(), deps.clock())) {
      pending = await writeChanges(deps.table, changes);
    } else {
      frame = await openFrame(deps, property, step);
      pending = frame.works;
    }
  }
};

/** The frame of a step, whose chunks readers find. */
const openFrame = async (
  deps: StepDeps,
  property: number,
  step: readonly ChunkWork[],
): Promise<IndexFrame> => {
  const frame = await frameOf(deps, property, step);
  if (frame.works === step) return frame;
  const groups = groupsOfWorks(frame.works);
  await deps.touches.note(property, groups);
  await deps.directories.ensure(property, groups);
  return frame;
};

/** A chunk as read, and what the profiles, read after it, say should change. */
interface ChunkChange {
  readonly work: ChunkWork;
  readonly item: StoredItem | undefined;
  readonly bits: Bits;
  readonly add: readonly number[];
  readonly remove: readonly number[];
}

const readChanges = async (
  deps: MembershipDeps,
  property: number,
  works: readonly ChunkWork[],
  frame: IndexFrame,
): Promise<readonly ChunkChange[]> => {
  const items = await deps.table.getMany(works.map(({ key }) => key));
  const found = await membersByProfiles(deps, property, works, frame);
  return works.map((work, index) => {
    const item = items[index];
    const bits = membersIn(item);
    const members = found[index] ?? noBits();
    // Nobody comes into a moment any more.
    const isMoment = frame.known.get(work.segment)?.type === 'moment';
    const belongs = isMoment ? and(members, bits) : members;
    return changeOf({ work, item, bits }, (offset) => hasBit(belongs, offset));
  });
};

const changeOf = (
  read: Pick<ChunkChange, 'work' | 'item' | 'bits'>,
  isMember: (offset: number) => boolean,
): ChunkChange => {
  const { work, bits } = read;
  const differing = [...new Set(work.offsets)].filter((offset) => isMember(offset) !== hasBit(bits, offset));
  const add = differing.filter((offset) => !hasBit(bits, offset));
  const remove = differing.filter((offset) => hasBit(bits, offset));
  return { ...read, add, remove };
};

/**
 * Writes chunks once each: those that gain members, or change nothing, first; those that only lose some when all of the
 * first are in. So a profile that goes from one segment to another, announced together, is never seen in neither. Returns
 * what is left: chunks that were refused, and those that have members to lose still.
 */
const writeChanges = async (table: Table, changes: readonly ChunkChange[]): Promise<readonly ChunkWork[]> => {
  const losing = changes.filter(onlyLoses);
  const gaining = changes.filter((change) => !onlyLoses(change));
  const refused = await write(table, gaining, ({ add }) => add);
  const unfinished = gaining.filter((change) => refused.has(change) || change.remove.length > 0);
  const left = refused.size > 0 ? new Set(losing) : await write(table, losing, ({ remove }) => remove);
  return [...unfinished, ...left].map(({ work }) => work);
};

const onlyLoses = ({ add, remove }: ChunkChange): boolean => add.length === 0 && remove.length > 0;

const write = async (
  table: Table,
  changes: readonly ChunkChange[],
  flips: (change: ChunkChange) => readonly number[],
): Promise<ReadonlySet<ChunkChange>> => {
  const writes = changes.map((change): Write => {
    const { work, item, bits } = change;
    const next = Uint32Array.from(bits);
    for (const offset of flips(change)) setBit(next, offset, !hasBit(bits, offset));
    const set = { members: encodeChunk(next) };
    return item
      ? { kind: 'update', key: work.key, set, expect: { w: item.w } }
      : { kind: 'insert', key: work.key, set };
  });
  const outcomes = await table.writeMany(writes);
  return new Set(changes.filter((_, index) => outcomes[index] === 'refused'));
};
