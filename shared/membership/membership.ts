/**
 * Membership index: per segment a bitmap of its members, in chunks of 4,096 ordinals; brings chunks up to date with
 * profiles.
 */
import { retryRemaining } from '../runtime/retry.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import { and, encodeChunk, hasBit, membersIn, noBits, setBit, type Bits } from './chunk.ts';
import { directoryWriter, type DirectoryWriter } from './directory.ts';
import { frameOf, isCurrentFrame, membersByProfiles, type IndexFrame } from './index-step.ts';
import { groupsOfWorks, IndexWork, type ChunkWork } from './index-work.ts';
import { dirtyGroupTracker } from './sizes/dirty-groups.ts';
import type { Pair } from '../catalogue/types.ts';
import type { MembershipDeps } from './deps.ts';

/** Updates the index from the profiles. */
export interface MembershipIndex {
  /**
   * When this returns, the index shows each of these memberships by the state of the profile at the time of the call,
   * or later.
   */
  reindex(property: { readonly id: number }, pairs: Iterable<Pair>): Promise<void>;
  /** The same for memberships grouped by chunk. */
  reindexWork(property: number, work: IndexWork): Promise<void>;
}

/**
 * The index on the table. A writer reads the chunk, THEN the profiles, THEN writes the chunk on condition that it is
 * unchanged (optimistic locking). Of two writers, the writer with the older profiles is refused. The chunk is written even
 * when no bit changes: the new nonce refuses writers that read the chunk earlier. Chunks are never
 * deleted.
 */
export const membershipIndex = (deps: MembershipDeps): MembershipIndex => {
  const directories = directoryWriter(deps);
  const dirtyGroups = dirtyGroupTracker(deps);
  const reindexWork = async (property: number, work: IndexWork): Promise<void> => {
    const groups = work.groups();
    await dirtyGroups.mark(property, groups);
    await directories.ensure(property, groups);
    const stepDeps = { ...deps, directories, dirtyGroups };
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
  readonly dirtyGroups: ReturnType<typeof dirtyGroupTracker>;
}

const reindexStep = async (deps: StepDeps, property: number, step: readonly ChunkWork[]): Promise<void> => {
  let frame = await openFrame(deps, property, step);
  await retryRemaining({ pause: deps.pause, what: 'membership: chunks' }, frame.works, async (pending) => {
    const changes = await readChanges(deps, property, pending, frame);
    // Checked after the chunks were read: a writer with an older version has read them earlier and is refused.
    if (isCurrentFrame(frame, await deps.brands(), deps.clock())) return writeChanges(deps.table, changes);
    frame = await openFrame(deps, property, step);
    return frame.works;
  });
};

/** The frame of a step. Readers find all chunks in it, because their groups are in the directories. */
const openFrame = async (
  deps: StepDeps,
  property: number,
  step: readonly ChunkWork[],
): Promise<IndexFrame> => {
  const frame = await frameOf(deps, property, step);
  if (frame.works === step) return frame;
  const groups = groupsOfWorks(frame.works);
  await deps.dirtyGroups.mark(property, groups);
  await deps.directories.ensure(property, groups);
  return frame;
};

/** A chunk as read, and the changes that follow from the profiles, which were read after it. */
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
    // A moment gains no members.
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
 * Writes each chunk once: first the chunks that gain members or do not change, and, when all of these were applied, the
 * chunks that only lose members. So a profile that moves from one segment to another in one change is never missing
 * from both. Returns the work that is left: refused chunks, and chunks that still have members to lose.
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
