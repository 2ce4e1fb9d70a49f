/** Make moment: copies the members of a tracked segment into a new segment, and commits it with its timeline. */
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { expand } from '../catalogue/segment-items.ts';
import { copyMembers, type CopyDeps } from './copy-members.ts';
import {
  commitMoment,
  discardMoment,
  forgetWork,
  registerMoment,
  storeCounts,
  type Commit,
  type MomentRef,
} from './moment-steps.ts';
import type { Moment } from './timeline-items.ts';

export interface MakeDeps extends CopyDeps {
  readonly catalogue: Pick<SegmentCatalogue, 'getMany'>;
}

/** A moment to be made. */
export interface MomentDraft {
  readonly ref: MomentRef;
  /** The segment of the moment before. */
  readonly previous: number | null;
  /** The tracked segment of the timeline. */
  readonly reference_tile: number;
  /** The start of the work (epoch ms). A scheduled moment may have an earlier nominal time. */
  readonly since: number;
  /** Reads what the moment is committed with; `undefined` when it can no longer be committed. */
  readonly read: () => Promise<Commit | undefined>;
}

/**
 * Copies a moment and commits it. Returns `undefined`, and removes the copy, when it could not be committed: another moment
 * came first, or the tracked segment was deleted.
 */
export const makeMoment = async (deps: MakeDeps, draft: MomentDraft): Promise<Moment | undefined> => {
  const { ref, read } = draft;
  const made = (await copyTracked(deps, draft)) ? await commitMoment(deps, ref, read) : undefined;
  // A moment that is closed and was not made here is for the look at its task.
  if (made || (await discardMoment(deps.table, ref))) await forgetWork(deps.table, ref);
  return made;
};

/** Copies the members of the tracked segment. Returns `false` when the segment was deleted, or the copy cleared up. */
const copyTracked = async (
  deps: MakeDeps,
  { ref, previous, reference_tile, since }: MomentDraft,
): Promise<boolean> => {
  const { property, segment: moment } = ref;
  await registerMoment(deps, ref, { previous, since });
  const known = await deps.catalogue.getMany(property, [reference_tile]);
  if (!known.has(reference_tile)) return false;
  const target = expand(reference_tile, known);
  return storeCounts(deps, ref, await copyMembers(deps, { property, target, moment, previous }));
};
