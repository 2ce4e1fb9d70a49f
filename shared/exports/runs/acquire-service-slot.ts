/** Acquire service slot: bounds the export jobs that run at once, because each uses many functions of the account. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { HOUR_MS, type Clock } from '../../runtime/clock.ts';
import type { Pause } from '../../runtime/pause.ts';
import { changeItem } from '../../table/change-item.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { JobRef } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { isOpen } from '../model/transitions.ts';

export interface ServiceSlotDeps {
  readonly table: Pick<Table, 'get' | 'write'>;
  readonly exports: ExportRepository;
  readonly pause: Pause;
  readonly clock: Clock;
  /** Export jobs of all properties that run at once. */
  readonly jobsAtOnce: number;
}

/** A job that holds a slot, until an end (epoch milliseconds) if it never ends itself. */
const slotHolder = v.object({
  property: v.number(),
  export: v.number(),
  job: v.number(),
  until: v.number(),
});
type SlotHolder = v.InferOutput<typeof slotHolder>;

/** The export jobs that run at present, of all properties. */
const slotsItem = v.object({ holders: v.array(slotHolder) });

const isSame = (a: SlotHolder, b: JobRef): boolean =>
  a.property === b.property && a.export === b.export && a.job === b.job;

/**
 * Whether a job may join the holders of slots. A property holds half of the slots at most, so that the exports of one
 * tenant never stop those of another.
 */
const hasSlot = (holders: readonly SlotHolder[], { property }: JobRef, jobsAtOnce: number): boolean => {
  const own = holders.filter((holder) => holder.property === property).length;
  return holders.length < jobsAtOnce && own < Math.ceil(jobsAtOnce / 2);
};

/**
 * Acquires one of the slots of the service for a job that is open. Returns `false` while all are taken; the job asks
 * again later. A holder keeps its slot until it has ended, or for `slotHours`, and another job needs the slot. The slots
 * protect the capacity of the account and nothing else, so a job that goes on without its slot does no harm.
 */
export const acquireServiceSlot = (deps: ServiceSlotDeps, ref: JobRef): Promise<boolean> =>
  changeItem(deps, { key: keys.exportSlots, what: 'exports: the slots of the service' }, async (item) => {
    const known = item ? v.parse(slotsItem, item).holders : [];
    if (known.some((holder) => isSame(holder, ref))) return { result: true };
    const holders = hasSlot(known, ref, deps.jobsAtOnce) ? known : await openHolders(deps, known);
    if (!hasSlot(holders, ref, deps.jobsAtOnce)) return { result: false };
    const { property, export: id, job } = ref;
    const until = deps.clock() + limits.exports.slotHours * HOUR_MS;
    return { result: true, set: { holders: [...holders, { property, export: id, job, until }] } };
  });

/** The holders whose jobs have not ended, and whose time is not over. */
const openHolders = async (
  { exports, clock }: ServiceSlotDeps,
  holders: readonly SlotHolder[],
): Promise<readonly SlotHolder[]> => {
  const jobs = await exports.jobsOf(holders);
  const now = clock();
  return holders.filter(({ until }, index) => {
    const job = jobs[index];
    return now < until && job !== undefined && isOpen(job);
  });
};
