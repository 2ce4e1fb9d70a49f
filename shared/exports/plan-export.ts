import { limits } from '../../lib/config/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { KeyService, ObjectStore } from '../runtime/ports.ts';
import { sizeOf } from '../segments/definition.ts';
import type { MemberChunk } from '../segments/evaluate.ts';
import type { Target } from '../segments/target.ts';
import { cardinality, encodeFrozen } from './frozen-set.ts';
import type { ExportJob, ExportPlan, JobRef } from './items.ts';
import { partsContext } from './items.ts';
import { requireDefinition, requireJob } from './require.ts';
import type { ExportRepository, Seen } from './repository.ts';
import { shardCount } from './shards.ts';
import { targetOf, type TargetDeps } from './targets.ts';
import { ATTEMPT_BYTES, objectKeys } from './work-keys.ts';

/** The members of a target, chunk by chunk in ascending order, each chunk once. */
type ReadMembers = (property: number, target: Target) => AsyncIterable<MemberChunk>;

/** What planning needs. */
export interface PlanDeps extends TargetDeps {
  readonly exports: ExportRepository;
  readonly work: ObjectStore;
  readonly keyService: KeyService;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly members: ReadMembers;
}

/** What the workflow does next: write these shards, or stop because the job is `failed` (or cancelled). */
export interface PlanAnswer {
  readonly status: 'planned' | 'failed';
  readonly shards: readonly { readonly shard: number }[];
}

/**
 * Freezes the members of a job and cuts them into shards. Planning again finds the plan that stands, so that every later
 * step works on the same members whatever was repeated.
 */
export const planExport = async (deps: PlanDeps, ref: JobRef): Promise<PlanAnswer> => {
  const job = await requireJob(deps.exports, ref);
  if (job.value.status === 'failed' || job.value.status === 'cancelled') return stopped;
  if (job.value.plan) return planned(job.value.plan);
  const definition = await requireDefinition(deps.exports, ref);
  const watermark = deps.clock();
  const target = await targetOf(deps, definition);
  const most = limits.exports.planNodes;
  if (sizeOf(target, most).nodes > most) return refuse(deps, ref, job, tooManySegments);
  const chunks: MemberChunk[] = [];
  for await (const chunk of deps.members(ref.property, target)) chunks.push(chunk);
  const members = cardinality(chunks);
  if (members > limits.exports.profiles) return refuse(deps, ref, job, tooManyProfiles);
  const members_key = objectKeys.members(ref, deps.ids.hex(ATTEMPT_BYTES));
  await deps.work.put(members_key, encodeFrozen(chunks));
  const { wrapped } = await deps.keyService.generateDataKey(partsContext(ref));
  const plan = { members_key, members, shards: shardCount(members), data_key: wrapped, watermark };
  return settle(deps, ref, job, { status: 'running', started: job.value.started ?? watermark, plan });
};

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

const stopped: PlanAnswer = { status: 'failed', shards: [] };

const planned = ({ shards }: ExportPlan): PlanAnswer => ({
  status: 'planned',
  shards: Array.from({ length: shards }, (_, shard) => ({ shard })),
});
