/**
 * Membership index: per segment a bitmap of its members, in chunks of 4,096 ordinals; brings chunks up to date with
 * profiles.
 */
import { stopDeletions } from '../catalogue/segment-ids.ts';
import { retryRemaining } from '../runtime/retry.ts';
import type { Key } from '../table/keys.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import {
  and,
  andNot,
  encodeChunk,
  isEmpty,
  membersIn,
  noBits,
  type Bits,
  directoryWriter,
  type DirectoryWriter,
  isSealed,
  sealed,
  unsealed,
  xor,
} from './chunk.ts';
import { frameOf, isCurrentFrame, membersByProfiles, type IndexFrame } from './index-step.ts';
import { groupsOfWorks, IndexWork, type ChunkWork } from './index-work.ts';
import type { Pairs } from './pairs.ts';
import { dirtyGroupTracker, type Groups } from './sizes/dirty-groups.ts';
import { isValueSegment } from '../catalogue/identity.ts';
import type { MembershipDeps } from './deps.ts';
import type { ResolvedProfile } from '../profiles/types.ts';

/** Items that are read together with the chunks, at no further round trip, and the decision that they make. */
export interface IndexGuard {
  readonly keys: readonly Key[];
  readonly stops: (items: readonly (StoredItem | undefined)[]) => boolean;
}

/**
 * The chunks of some memberships, and the items of a guard, read ahead of the profiles that are about to be written. They
 * lose their worth when a chunk is written meanwhile: the nonce tells.
 */
export interface ChunksAhead {
  readonly frame: IndexFrame;
  readonly items: readonly (StoredItem | undefined)[];
}

/** What an indexer knows already: chunks, and profiles by ordinal that were read or written behind the read of the chunks. */
export interface Seen {
  readonly chunks: ChunksAhead;
  readonly profiles: ReadonlyMap<number, ResolvedProfile> | undefined;
}

/**
 * Updates the index on the table from the profiles. A writer reads the chunk, THEN the profiles, THEN writes the chunk on
 * condition that it is unchanged (optimistic locking). Of two writers, the writer with the older profiles is refused. The
 * chunk is written even when no bit changes: the new nonce refuses writers that read the chunk earlier. Chunks are deleted
 * only with their segment (`sealedChunks` in `directory.ts`).
 */
export const membershipIndex = (deps: MembershipDeps) => {
  const directories = directoryWriter(deps);
  const dirtyGroups = dirtyGroupTracker(deps);
  const stepDeps = { ...deps, directories, dirtyGroups };
  const begin = async (property: number, groups: Groups): Promise<void> => {
    await dirtyGroups.mark(property, groups);
    await directories.ensure(property, groups);
  };
  const reindexWork = async (
    property: number,
    work: IndexWork,
    more: { readonly guard?: IndexGuard; readonly seen?: Seen | undefined } = {},
  ): Promise<boolean> => {
    await begin(property, work.groups());
    for (const step of work.steps(property))
      if (!(await reindexStep(stepDeps, property, step, more))) return false;
    return true;
  };
  return {
    /**
     * When this returns, the index shows each of these memberships by the state of the profile at the time of the call, or
     * later.
     */
    reindex: async ({ id }: { readonly id: number }, pairs: Pairs): Promise<void> => {
      await reindexWork(id, IndexWork.of(pairs));
    },
    /**
     * The same unless the guard stops it, or another writer changes one of the chunks in between. Then it returns `false`:
     * some memberships may be indexed, and the caller has to see to the others. `seen` are the chunks of just these pairs.
     */
    reindexAlone: (property: number, pairs: Pairs, guard: IndexGuard, seen?: Seen): Promise<boolean> =>
      reindexWork(property, IndexWork.of(pairs), { guard, seen }),
    /**
     * Reads what `reindexAlone` of these pairs reads first. Undefined for so many that they take several steps, and where
     * the profiles decide which chunks there are: while two derivations are in use, and for deleted segments.
     */
    chunksAhead: async (
      property: number,
      pairs: Pairs,
      { keys }: IndexGuard,
    ): Promise<ChunksAhead | undefined> => {
      const work = IndexWork.of(pairs);
      const [step, ...others] = work.steps(property);
      if (!step || others.length > 0) return undefined;
      const derivations = await deps.derivations.of(property);
      if (derivations.previous(deps.clock())) return undefined;
      await begin(property, work.groups());
      const frame = await frameOf(deps, property, step);
      if (frame.works !== step) return undefined;
      return { frame, items: await deps.table.getMany([...step.map(({ key }) => key), ...keys]) };
    },
    /** The same as `reindex` for memberships grouped by chunk. */
    reindexWork: async (property: number, work: IndexWork): Promise<void> => {
      await reindexWork(property, work);
    },
  };
};
export type MembershipIndex = ReturnType<typeof membershipIndex>;

interface StepDeps extends MembershipDeps {
  readonly directories: DirectoryWriter;
  readonly dirtyGroups: ReturnType<typeof dirtyGroupTracker>;
}

/** Brings a step up to date. With a guard it stops where the guard says so or a write is refused, and returns `false`. */
const reindexStep = async (
  deps: StepDeps,
  property: number,
  step: readonly ChunkWork[],
  { guard, seen }: { readonly guard?: IndexGuard; readonly seen?: Seen | undefined },
): Promise<boolean> => {
  let frame = seen?.chunks.frame ?? (await openFrame(deps, property, step));
  let isDone = true;
  await retryRemaining(
    { pause: deps.pause, what: 'membership: chunks' },
    frame.works,
    async (pending, round) => {
      const known = round === 0 ? seen : undefined;
      const wanted = [...pending.map(({ key }) => key), ...(guard?.keys ?? [])];
      const items = known?.chunks.items ?? (await deps.table.getMany(wanted));
      if (guard?.stops(items.slice(pending.length)) === true) {
        isDone = false;
        return [];
      }
      const touched = pending.filter((_, index) => isSealed(items[index]));
      if ((await deletedIn(deps, property, touched, frame)).size > 0) {
        frame = await openFrame(deps, property, step);
        return frame.works;
      }
      const read = { works: pending, items, profiles: known?.profiles };
      const changes = await changesOf(deps, property, read, frame);
      // Checked after the chunks were read: a writer with an older derivation has read them earlier and is refused.
      if (isCurrentFrame(frame, await deps.derivations.of(property), deps.clock())) {
        const outcome = await writeChanges(deps, property, changes, frame);
        if (outcome !== 'deleted') {
          isDone = outcome.refused === 0 || guard === undefined;
          return isDone ? outcome.left : [];
        }
      }
      frame = await openFrame(deps, property, step);
      return frame.works;
    },
  );
  return isDone;
};

/**
 * The deleted segments among those of works that have a new or a sealed chunk; empties these chunks of theirs. Stops the
 * deletions that are under way.
 */
const deletedIn = async (
  deps: MembershipDeps,
  property: number,
  works: readonly ChunkWork[],
  { known }: IndexFrame,
): Promise<ReadonlySet<number>> => {
  const segments = new Set(works.map(({ segment }) => segment));
  const deletable = [...segments].filter((id) => {
    const segment = known.get(id);
    return segment !== undefined && isValueSegment(segment);
  });
  const deleted = await stopDeletions(deps, property, deletable);
  if (deleted.size === 0) return deleted;
  // From now on the catalogue gives their identities other ids.
  await deps.catalogue.deleted(property, [...deleted]);
  const set = { members: encodeChunk(noBits()), ...sealed };
  const chunks = works.filter(({ segment }) => deleted.has(segment));
  // Refused where the deletion has removed the chunk.
  await deps.table.writeMany(chunks.map(({ key }) => ({ kind: 'update', key, set, expect: {} })));
  return deleted;
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
  readonly add: Bits;
  readonly remove: Bits;
}

/** The changes to chunks, by the profiles as they are after the chunks were read. */
const changesOf = async (
  deps: MembershipDeps,
  property: number,
  read: {
    readonly works: readonly ChunkWork[];
    readonly items: readonly (StoredItem | undefined)[];
    readonly profiles: Seen['profiles'];
  },
  frame: IndexFrame,
): Promise<readonly ChunkChange[]> => {
  const { works, items, profiles } = read;
  const found = await membersByProfiles(deps, property, works, { frame, profiles });
  return works.map((work, index) => {
    const item = items[index];
    const bits = membersIn(item);
    const members = found[index] ?? noBits();
    // A moment gains no members.
    const isMoment = frame.known.get(work.segment)?.type === 'moment';
    const belongs = isMoment ? and(members, bits) : members;
    return changeOf({ work, item, bits }, belongs);
  });
};

const changeOf = (read: Pick<ChunkChange, 'work' | 'item' | 'bits'>, belongs: Bits): ChunkChange => {
  const { work, bits } = read;
  const differing = and(work.looked, xor(belongs, bits));
  return { ...read, add: andNot(differing, bits), remove: and(differing, bits) };
};

/**
 * Writes each chunk once: first the chunks that gain members or do not change, and, when all of these were applied, the
 * chunks that only lose members. So a profile that moves from one segment to another in one change is never missing
 * from both. Returns the work that is left, refused chunks and chunks that still have members to lose, and the number of
 * refused chunks; or `deleted` when the segment of a new chunk was deleted.
 */
const writeChanges = async (
  deps: MembershipDeps,
  property: number,
  changes: readonly ChunkChange[],
  frame: IndexFrame,
): Promise<{ readonly left: readonly ChunkWork[]; readonly refused: number } | 'deleted'> => {
  const { table } = deps;
  const losing = changes.filter(onlyLoses);
  const gaining = changes.filter((change) => !onlyLoses(change));
  const refused = await write(table, gaining, ({ add }) => add);
  const fresh = gaining.filter((change) => change.item === undefined && !refused.has(change));
  const deleted = await deletedIn(deps, property, works(fresh), frame);
  if (deleted.size > 0) return 'deleted';
  const unfinished = gaining.filter((change) => refused.has(change) || !isEmpty(change.remove));
  if (refused.size > 0) return { left: works([...unfinished, ...losing]), refused: refused.size };
  const late = await write(table, losing, ({ remove }) => remove);
  return { left: works([...unfinished, ...late]), refused: late.size };
};

const works = (changes: Iterable<ChunkChange>): readonly ChunkWork[] => [...changes].map(({ work }) => work);

const onlyLoses = ({ add, remove }: ChunkChange): boolean => isEmpty(add) && !isEmpty(remove);

const write = async (
  table: Table,
  changes: readonly ChunkChange[],
  flips: (change: ChunkChange) => Bits,
): Promise<ReadonlySet<ChunkChange>> => {
  const writes = changes.map((change): Write => {
    const { work, item, bits } = change;
    const set = { members: encodeChunk(xor(bits, flips(change))) };
    return item
      ? {
          kind: 'update',
          key: work.key,
          set: isSealed(item) ? { ...set, ...unsealed } : set,
          expect: { w: item.w },
        }
      : { kind: 'insert', key: work.key, set: { ...set, ...sealed } };
  });
  const outcomes = await table.writeMany(writes);
  return new Set(changes.filter((_, index) => outcomes[index] === 'refused'));
};
