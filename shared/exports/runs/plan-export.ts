/** Plan export: freezes the members of a job and cuts them into shards, as the first step of its workflow. */
import { sizeOf } from '../../catalogue/definition.ts';
import type { SegmentExpression } from '../../catalogue/types.ts';
import { limits } from '../../config/limits.ts';
import type { MemberChunk } from '../../membership/read-members.ts';
import type { Ids } from '../../runtime/ids.ts';
import { secondsToNextPoll } from '../../runtime/poll-interval.ts';
import { mapLimited } from '../../runtime/pool.ts';
import type { KeyService, ObjectStore } from '../../runtime/ports.ts';
import type { Versioned } from '../../table/versioned.ts';
import type { ExportDefinition, ExportFailure, ExportJob, ExportPlan, JobRef } from '../model/items.ts';
import { requireJob } from '../model/named-items.ts';
import { resolveTarget, type ExportTarget, type ResolveDeps } from '../model/targets.ts';
import { isOpen, moved } from '../model/transitions.ts';
import { ATTEMPT_ID_BYTES, objectKeys, partsContext } from '../model/work-keys.ts';
import { readCandidates } from '../parts/candidates.ts';
import { type BaseDeps, findDeltaBase } from '../parts/delta-base.ts';
import { type FeedBase, findFeedBase } from '../parts/feed-base.ts';
import { cardinality, storeFrozen } from '../model/frozen-set.ts';
import { shardCount } from '../parts/shards.ts';
import { acquireRunSlot, type SlotDeps } from './acquire-run-slot.ts';
import { acquireServiceSlot, type ServiceSlotDeps } from './acquire-service-slot.ts';

/** The members of a target, chunk by chunk in ascending order, each chunk once. */
type ReadMembers = (property: number, target: SegmentExpression) => AsyncIterable<MemberChunk>;

export interface PlanDeps extends ResolveDeps, SlotDeps, ServiceSlotDeps, BaseDeps {
  readonly work: ObjectStore;
  readonly keyService: KeyService;
  readonly ids: Ids;
  readonly members: ReadMembers;
}

/**
 * The next step of the workflow: write these shards, wait and plan again, or stop because the job failed or was
 * cancelled.
 */
export interface PlanAnswer {
  readonly status: 'planned' | 'waiting' | 'failed';
  readonly shards: readonly { readonly shard: number }[];
  readonly wait_seconds: number;
}

/**
 * Acquires the concurrency slot of the definition and a slot of the service. Then freezes the definition and the members of
 * the job, and cuts the members into shards. A repeated call finds the stored plan, so all later steps work on the same
 * members.
 */
export const planExport = async (deps: PlanDeps, ref: JobRef): Promise<PlanAnswer> => {
  const job = await requireJob(deps.exports, ref);
  if (!isOpen(job.value)) return stopped;
  if (job.value.plan) return planned(job.value.plan);
  const slot = await acquireRunSlot(deps, job.value);
  if (slot.kind === 'cancelled') return stopped;
  if (slot.kind === 'waiting') return waiting(slot.seconds);
  const { definition } = slot;
  if (!(await acquireServiceSlot(deps, ref)))
    return waiting(secondsToNextPoll(deps.clock() - job.value.created));
  const watermark = deps.clock();
  const resolved = await resolveTarget(deps, definition);
  if (!resolved.ok) return refuse(deps, ref, job, noConsentSegment);
  const exported = resolved.value;
  const most = limits.exports.planNodes;
  if (sizeOf(exported.target, most).nodes > most) return refuse(deps, ref, job, tooManySegments);
  const members = await Array.fromAsync(deps.members(ref.property, exported.target));
  const { base, silent } = await findBase(deps, ref, definition);
  const hasRows = base !== null || definition.changes?.first !== 'none';
  const candidates = hasRows ? (await readCandidates(deps.files, members, base)).all : [];
  if (cardinality(candidates) > limits.exports.profiles) return refuse(deps, ref, job, tooManyProfiles);
  const [stored, { wrapped }] = await Promise.all([
    storeSets(deps, ref, { members, exported, scope: definition.scope }),
    newDataKey(deps.keyService, ref),
  ]);
  const plan: ExportPlan = {
    ...stored,
    base,
    silent,
    omitted_key: null,
    members: cardinality(members),
    candidates: cardinality(candidates),
    shards: shardCount(cardinality(candidates)),
    data_key: wrapped,
    watermark,
    revision: definition.revision,
  };
  return writeOutcome(deps, ref, job, { ...moved('plan'), started: job.value.started ?? watermark, plan });
};

/** The base of a delta: what its receiver knows. */
const findBase = async (deps: PlanDeps, ref: JobRef, definition: ExportDefinition): Promise<FeedBase> =>
  definition.changes === null
    ? { base: await findDeltaBase(deps, definition), silent: false }
    : findFeedBase(deps, ref, definition);

const newDataKey = async (keyService: KeyService, ref: JobRef) =>
  keyService.generateDataKey(partsContext(ref));

interface FrozenSets {
  readonly members: readonly MemberChunk[];
  readonly exported: ExportTarget;
  readonly scope: 'full' | 'delta';
}

/** Stores the frozen members and the sizes of the segments as objects of this attempt. */
const storeSets = async (
  deps: PlanDeps,
  ref: JobRef,
  { members, exported, scope }: FrozenSets,
): Promise<Pick<ExportPlan, 'members_key' | 'sizes_key'>> => {
  const attemptId = deps.ids.hex(ATTEMPT_ID_BYTES);
  const sizes_key = objectKeys.sizes(ref, attemptId);
  const storeSizes = async (): Promise<void> => {
    const sizes = await mapLimited(exported.segments, COUNTS_AT_ONCE, async ({ id, target }) => {
      // A single segment has the same members as the export.
      if (exported.segments.length === 1) return { id, profiles: cardinality(members) };
      let profiles = 0;
      for await (const chunk of deps.members(ref.property, target)) profiles += cardinality([chunk]);
      return { id, profiles };
    });
    await deps.work.put(sizes_key, JSON.stringify(sizes));
  };
  const [members_key] = await Promise.all([
    storeFrozen(deps.files, objectKeys.members(ref, attemptId, scope), members),
    storeSizes(),
  ]);
  return { members_key, sizes_key };
};

/** Segments counted at once. */
const COUNTS_AT_ONCE = 8;

/** Writes the outcome of this attempt. If another attempt was faster, its outcome stands. */
const writeOutcome = async (
  deps: PlanDeps,
  ref: JobRef,
  { w }: Versioned<ExportJob>,
  set: Partial<ExportJob>,
): Promise<PlanAnswer> => {
  const outcome = await deps.exports.updateJob(ref, w, set);
  const { status, plan } = outcome === 'applied' ? set : (await requireJob(deps.exports, ref)).value;
  if (status === 'failed' || status === 'cancelled') return stopped;
  if (plan) return planned(plan);
  throw new Error('exports: the job changed while it was planned');
};

const refuse = (
  deps: PlanDeps,
  ref: JobRef,
  job: Versioned<ExportJob>,
  error: ExportFailure,
): Promise<PlanAnswer> => writeOutcome(deps, ref, job, { ...moved('fail'), finished: deps.clock(), error });

const tooManyProfiles: ExportFailure = {
  code: 'too_large',
  detail: `The export has more than ${limits.exports.profiles} profiles; split it.`,
};
const tooManySegments: ExportFailure = {
  code: 'too_many_segments',
  detail: `With its collections and custom segments resolved, the export has more than ${limits.exports.planNodes} segments; split it.`,
};

const noConsentSegment: ExportFailure = {
  code: 'no_consent_segment',
  detail:
    'The property has no room for the segment of this consent, so the service cannot tell who has the consent. Delete segments of values that nobody has, send the statements of consent again, and run the export again.',
};

const stopped: PlanAnswer = { status: 'failed', shards: [], wait_seconds: 0 };

const waiting = (seconds: number): PlanAnswer => ({ status: 'waiting', shards: [], wait_seconds: seconds });

const planned = ({ shards }: ExportPlan): PlanAnswer => ({
  status: 'planned',
  shards: Array.from({ length: shards }, (_, shard) => ({ shard })),
  wait_seconds: 0,
});
