/**
 * Membership index: per segment a bitmap of its members, in chunks of 4,096 ordinals; brings chunks up to date with
 * profiles.
 */
import { retryRemaining } from '../runtime/retry.ts';
import type { Key } from '../table/keys.ts';
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
  /**
   * The same unless the guard stops it, or another writer changes one of the chunks in between. Then it returns `false`:
   * some memberships may be indexed, and the caller has to see to the others.
   */
  reindexAlone(property: { readonly id: number }, pairs: Iterable<Pair>, guard: IndexGuard): Promise<boolean>;
  /** The same for memberships grouped by chunk. */
  reindexWork(property: number, work: IndexWork): Promise<void>;
}

/** Items that are read together with the chunks, at no further round trip, and the decision that they make. */
export interface IndexGuard {
  readonly keys: readonly Key[];
  readonly stops: (items: readonly (StoredItem | undefined)[]) => boolean;
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
  const stepDeps = { ...deps, directories, dirtyGroups };
  const reindexWork = async (property: number, work: IndexWork, guard?: IndexGuard): Promise<boolean> => {
    const groups = work.groups();
    await dirtyGroups.mark(property, groups);
    await directories.ensure(property, groups);
    for (const step of work.steps(property))
      if (!(await reindexStep(stepDeps, property, step, guard))) return false;
    return true;
  };
  return {
    reindexWork: async (property, work) => {
      await reindexWork(property, work);
    },
    reindex: async ({ id }, pairs) => {
      await reindexWork(id, workOf(pairs));
    },
    reindexAlone: ({ id }, pairs, guard) => reindexWork(id, workOf(pairs), guard),
  };
};

const workOf = (pairs: Iterable<Pair>): IndexWork => {
  const work = new IndexWork();
  for (const { segment, ordinal } of pairs) work.add(segment, ordinal);
  return work;
};

interface StepDeps extends MembershipDeps {
  readonly directories: DirectoryWriter;
  readonly dirtyGroups: ReturnType<typeof dirtyGroupTracker>;
}

/** Brings a step up to date. With a guard it stops where the guard says so or a write is refused, and returns `false`. */
const reindexStep = async (
  deps: StepDeps,
  property: number,
  step: readonly ChunkWork[],
  guard: IndexGuard | undefined,
): Promise<boolean> => {
  let frame = await openFrame(deps, property, step);
  let isDone = true;
  await retryRemaining({ pause: deps.pause, what: 'membership: chunks' }, frame.works, async (pending) => {
    const items = await deps.table.getMany([...pending.map(({ key }) => key), ...(guard?.keys ?? [])]);
    if (guard?.stops(items.slice(pending.length)) === true) {
      isDone = false;
      return [];
    }
    const changes = await changesOf(deps, property, { works: pending, items }, frame);
    // Checked after the chunks were read: a writer with an older version has read them earlier and is refused.
    if (isCurrentFrame(frame, await deps.brands(), deps.clock())) {
      const { left, refused } = await writeChanges(deps.table, changes);
      isDone = refused === 0 || guard === undefined;
      return isDone ? left : [];
    }
    frame = await openFrame(deps, property, step);
    return frame.works;
  });
  return isDone;
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

/** The changes to chunks, by the profiles as they are after the chunks were read. */
const changesOf = async (
  deps: MembershipDeps,
  property: number,
  read: { readonly works: readonly ChunkWork[]; readonly items: readonly (StoredItem | undefined)[] },
  frame: IndexFrame,
): Promise<readonly ChunkChange[]> => {
  const { works, items } = read;
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
 * from both. Returns the work that is left, refused chunks and chunks that still have members to lose, and the number of
 * refused chunks.
 */
const writeChanges = async (
  table: Table,
  changes: readonly ChunkChange[],
): Promise<{ readonly left: readonly ChunkWork[]; readonly refused: number }> => {
  const losing = changes.filter(onlyLoses);
  const gaining = changes.filter((change) => !onlyLoses(change));
  const refused = await write(table, gaining, ({ add }) => add);
  const unfinished = gaining.filter((change) => refused.has(change) || change.remove.length > 0);
  const works = (left: Iterable<ChunkChange>) => [...left].map(({ work }) => work);
  if (refused.size > 0) return { left: works([...unfinished, ...losing]), refused: refused.size };
  const late = await write(table, losing, ({ remove }) => remove);
  return { left: works([...unfinished, ...late]), refused: late.size };
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
