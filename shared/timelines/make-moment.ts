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

/** What making moments needs. */
export interface MakeDeps extends CopyDeps {
  readonly catalogue: Pick<SegmentCatalogue, 'getMany'>;
}

/** A moment to be made. */
export interface MomentDraft {
  readonly ref: MomentRef;
  /** The tracked segment of the timeline. */
  readonly reference_tile: number;
  readonly moment: Moment;
  /** When it was begun (epoch ms); what is scheduled may count as of earlier. */
  readonly since: number;
  /** Called now and then while it is made; throws `Overtaken` when somebody else has taken over. */
  readonly renewLease: () => Promise<void>;
}

/** Somebody else has taken over what is being made, or deleted what it is made of. */
export class LeaseLost extends Error {
  override readonly name = 'Overtaken';
}

/**
 * Makes all of a moment but the one write of `commit` by which it comes. `false` when that did not go through, or somebody
 * else has taken over before: then nothing is left of it.
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
    if (!(error instanceof LeaseLost)) throw error;
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

/** Whom a tracked segment holds, custom ones written out. */
const trackedTarget = async (
  { catalogue }: MakeDeps,
  property: number,
  segment: number,
): Promise<SegmentExpression> => {
  const known = await catalogue.getMany(property, [segment]);
  if (!known.has(segment)) throw new LeaseLost();
  return expand(segment, known);
};
