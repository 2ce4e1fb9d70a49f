import { limits } from '../../config/limits.ts';
import type { Ids } from '../../runtime/ids.ts';
import { mapLimited } from '../../runtime/pool.ts';
import type { KeyService, ObjectStore } from '../../runtime/ports.ts';
import { sizeOf } from '../../catalogue/definition.ts';
import type { MemberChunk } from '../../membership/read-window.ts';
import type { SegmentExpression } from '../../catalogue/types.ts';
import { findDeltaBase, readFrozen } from '../parts/delta-base.ts';
import { cardinality, encodeFrozen, unionOf } from '../parts/frozen-set.ts';
import { isOpen, partsContext, type ExportJob, type ExportPlan, type JobRef } from '../model/items.ts';
import { requireJob } from '../model/required-items.ts';
import type { Seen } from '../model/repository.ts';
import { shardCount } from '../parts/shards.ts';
import { acquireRunSlot, type SlotDeps } from './acquire-run-slot.ts';
import { resolveTarget, type ExportTarget, type TargetDeps } from '../model/targets.ts';
import { ATTEMPT_ID_BYTES, objectKeys } from '../model/work-keys.ts';

/** The members of a target, chunk by chunk in ascending order, each chunk once. */
type ReadMembers = (property: number, target: SegmentExpression) => AsyncIterable<MemberChunk>;

/** What planning needs. */
export interface PlanDeps extends TargetDeps, SlotDeps {
  readonly work: ObjectStore;
  readonly files: ObjectStore;
  readonly keyService: KeyService;
  readonly ids: Ids;
  readonly members: ReadMembers;
}

/** What the workflow does next: write these shards, wait and plan again, or stop because the job is `failed` (or cancelled). */
export interface PlanAnswer {
  readonly status: 'planned' | 'waiting' | 'failed';
  readonly shards: readonly { readonly shard: number }[];
  readonly wait_seconds: number;
}

/**
 * Waits for the job's turn, then freezes its definition and its members and cuts them into shards. Planning again finds the
 * plan that stands, so that every later step works on the same members whatever was repeated.
 */
export const planExport = async (deps: PlanDeps, ref: JobRef): Promise<PlanAnswer> => {
  const job = await requireJob(deps.exports, ref);
  if (!isOpen(job.value)) return stopped;
  if (job.value.plan) return planned(job.value.plan);
  const turn = await acquireRunSlot(deps, job.value);
  if (turn.kind === 'cancelled') return stopped;
  if (turn.kind === 'waiting') return { status: 'waiting', shards: [], wait_seconds: turn.seconds };
  const watermark = deps.clock();
  const exported = await resolveTarget(deps, turn.definition);
  const most = limits.exports.planNodes;
  if (sizeOf(exported.target, most).nodes > most) return refuse(deps, ref, job, tooManySegments);
  const members = await gatherChunks(deps.members(ref.property, exported.target));
  const base = await findDeltaBase(deps, turn.definition);
  const candidates = base ? unionOf(members, await readFrozen(deps.files, base.members_key)) : members;
  if (cardinality(candidates) > limits.exports.profiles) return refuse(deps, ref, job, tooManyProfiles);
  const stored = await storeSets(deps, ref, { members, exported, scope: turn.definition.scope });
  const { wrapped } = await deps.keyService.generateDataKey(partsContext(ref));
  const plan: ExportPlan = {
    ...stored,
    base,
    members: cardinality(members),
    candidates: cardinality(candidates),
    shards: shardCount(cardinality(candidates)),
    data_key: wrapped,
    watermark,
    revision: turn.definition.revision,
  };
  return settle(deps, ref, job, { status: 'running', started: job.value.started ?? watermark, plan });
};

const gatherChunks = async (chunks: AsyncIterable<MemberChunk>): Promise<readonly MemberChunk[]> => {
  const gathered: MemberChunk[] = [];
  for await (const chunk of chunks) gathered.push(chunk);
  return gathered;
};

interface Planned {
  readonly members: readonly MemberChunk[];
  readonly exported: ExportTarget;
  readonly scope: 'full' | 'delta';
}

/** Stores the frozen members and the sizes of the segments as objects of this attempt. */
const storeSets = async (
  deps: PlanDeps,
  ref: JobRef,
  { members, exported, scope }: Planned,
): Promise<Pick<ExportPlan, 'members_key' | 'sizes_key'>> => {
  const attempt = deps.ids.hex(ATTEMPT_ID_BYTES);
  const members_key = objectKeys.members(ref, attempt, scope);
  await deps.files.put(members_key, encodeFrozen(members));
  const sizes = await mapLimited(exported.segments, COUNTS_AT_ONCE, async ({ id, target }) => {
    // The only segment is the whole export.
    if (exported.segments.length === 1) return { id, profiles: cardinality(members) };
    let profiles = 0;
    for await (const chunk of deps.members(ref.property, target)) profiles += cardinality([chunk]);
    return { id, profiles };
  });
  const sizes_key = objectKeys.sizes(ref, attempt);
  await deps.work.put(sizes_key, JSON.stringify(sizes));
  return { members_key, sizes_key };
};

/** Segments counted at once. */
const COUNTS_AT_ONCE = 8;

/** Writes the outcome; when another attempt was faster, its outcome stands. */
const settle = async (
  deps: PlanDeps,
  ref: JobRef,
  { w }: Seen<ExportJob>,
  set: Partial<ExportJob>,
): Promise<PlanAnswer> => {
  const outcome = await deps.exports.updateJob(ref, w, set);
  const { status, plan } = outcome === 'applied' ? set : (await requireJob(deps.exports, ref)).value;
  if (status !== 'failed' && status !== 'cancelled' && plan) return planned(plan);
  if (status === 'failed' || status === 'cancelled') return stopped;
  throw new Error('exports: the job changed while it was planned');
};

const refuse = (
  deps: PlanDeps,
  ref: JobRef,
  job: Seen<ExportJob>,
  error: NonNullable<ExportJob['error']>,
): Promise<PlanAnswer> => settle(deps, ref, job, { status: 'failed', finished: deps.clock(), error });

const tooManyProfiles = {
  code: 'too_large',
  detail: `The export has more than ${limits.exports.profiles} profiles; split it.`,
};
const tooManySegments = {
  code: 'too_many_segments',
  detail: `Collections and definitions written out, the export has more than ${limits.exports.planNodes} segments; split it.`,
};

const stopped: PlanAnswer = { status: 'failed', shards: [], wait_seconds: 0 };

const planned = ({ shards }: ExportPlan): PlanAnswer => ({
  status: 'planned',
  shards: Array.from({ length: shards }, (_, shard) => ({ shard })),
  wait_seconds: 0,
});
