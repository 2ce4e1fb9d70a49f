/** Guard items: what the guards of a definition know about a job, one item per job, for the import repository. */
import * as v from 'valibot';
import type { ImportFailureCode } from '../../http/row-codes.ts';
import { changeItem, type ChangeItemDeps } from '../../table/change-item.ts';
import { keys } from '../../table/keys.ts';
import type { StoredItem } from '../../table/table.ts';
import type { FileFailure, JobKey } from './import-job.ts';

const whole = v.pipe(v.number(), v.safeInteger());

/** Codes of the failures that guards find. */
const guardCodes = [
  'too_many_new_segments',
  'too_many_refused',
  'shared_id',
] as const satisfies readonly ImportFailureCode[];

/** The failure that a guard finds. */
export interface GuardFailure extends FileFailure {
  readonly code: (typeof guardCodes)[number];
}

/** Schema of a guard item. */
export const guardItem = v.object({
  /** Hashes of the new segments that the job may make so far. */
  segments: v.instance(Uint8Array),
  /** The first few of these segments, as messages name them. */
  examples: v.pipe(v.array(v.string()), v.readonly()),
  /** Since when a job for batches counts these segments (epoch milliseconds). A file has one count. */
  since: v.nullable(whole),
  /** How far the file is judged: the offset of the next row, and the rows before it. */
  cursor: v.nullable(v.object({ offset: whole, judged: whole, refused: whole })),
  /** Whether the whole file is judged, and no guard has stopped it. */
  passed: v.boolean(),
  /**
   * Why a guard has stopped a job for batches: no batch is stored that was not admitted before. Of a dry run: why the
   * guard of ids would stop the job.
   */
  stopped: v.nullable(v.object({ code: v.picklist(guardCodes), message: v.string() })),
});

/** What the guards know about a job. */
export type JobGuard = Readonly<v.InferOutput<typeof guardItem>>;

/** A decision about a guard item; `set` changes these members. */
export interface GuardDecision<T> {
  readonly result: T;
  readonly set?: Partial<JobGuard>;
}

const untouched: JobGuard = {
  segments: new Uint8Array(0),
  examples: [],
  since: null,
  cursor: null,
  passed: false,
  stopped: null,
};

const parseGuard = (item: StoredItem | undefined): JobGuard => (item ? v.parse(guardItem, item) : untouched);

/** Reads and writes of guard items. */
export const guardItems = (deps: ChangeItemDeps) => ({
  guard: async ({ property, id }: JobKey): Promise<JobGuard> =>
    parseGuard(await deps.table.get(keys.jobGuard(property, id))),
  /** Changes the item of a job under optimistic locking. `decide` may run several times. */
  changeGuard: <T>({ property, id }: JobKey, decide: (seen: JobGuard) => GuardDecision<T>): Promise<T> =>
    changeItem(deps, { key: keys.jobGuard(property, id), what: 'imports: the guard of a job' }, (item) => {
      const seen = parseGuard(item);
      const { result, set } = decide(seen);
      return { result, ...(set ? { set: { ...seen, ...set } } : {}) };
    }),
});
