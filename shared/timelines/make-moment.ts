/**
 * Make moment: copies the members of a tracked segment into a new segment, then has its caller commit it
 * (`commitMoment`).
 */
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { expand } from '../catalogue/expression.ts';
import type { SegmentExpression } from '../catalogue/types.ts';
import { copyMembers, type CopyDeps } from './copy-members.ts';
import type { Moment } from './timeline-items.ts';
import {
  registerMoment,
  discardMoment,
  storeCounts,
  storeMomentSegment,
  type MomentRef,
} from './moment-steps.ts';

export interface MakeDeps extends CopyDeps {
  readonly catalogue: Pick<SegmentCatalogue, 'getMany'>;
}

/** A moment to be made. */
export interface MomentDraft {
  readonly ref: MomentRef;
  /** The tracked segment of the timeline. */
  readonly reference_tile: number;
  readonly moment: Moment;
  /** The start of the work (epoch ms). A scheduled moment may have an earlier nominal time. */
  readonly since: number;
  /** Renews the lease of the maker; throws `MomentAbandoned` after a takeover. */
  readonly renewLease: () => Promise<void>;
}

/** The maker cannot commit: another maker has taken over the lease, or the tracked segment was deleted. */
export class MomentAbandoned extends Error {
  override readonly name = 'MomentAbandoned';
}

/**
 * Prepares a moment and commits it with `commit`, the deciding write. Returns `false`, and removes everything prepared,
 * when the commit was refused or another maker took the lease over before.
 */
export const makeMoment = async (
  deps: MakeDeps,
  draft: MomentDraft,
  commit: () => Promise<boolean>,
): Promise<boolean> => {
  try {
    await prepareMoment(deps, draft);
    if (await commit()) return true;
  } catch (error) {
    if (!(error instanceof MomentAbandoned)) throw error;
  }
  await discardMoment(deps.table, draft.ref);
  return false;
};

const prepareMoment = async (deps: MakeDeps, draft: MomentDraft): Promise<void> => {
  const { ref, moment, since, renewLease } = draft;
  const { property } = ref;
  const { previous, name } = moment;
  await registerMoment(deps.table, ref, { previous, since });
  const target = await trackedTarget(deps, property, draft.reference_tile);
  const order = { property, target, moment: moment.segment, previous, renewLease };
  await storeCounts(deps, ref, await copyMembers(deps, order));
  await storeMomentSegment(deps.table, ref, name);
};

/** The expression of a tracked segment, with custom segments expanded. */
const trackedTarget = async (
  { catalogue }: MakeDeps,
  property: number,
  segment: number,
): Promise<SegmentExpression> => {
  const known = await catalogue.getMany(property, [segment]);
  // A deleted segment ends the moment like a takeover: everything prepared is removed, and nothing is committed.
  if (!known.has(segment)) throw new MomentAbandoned();
  return expand(segment, known);
};
