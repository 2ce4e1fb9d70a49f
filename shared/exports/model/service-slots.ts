/** Service slots: the export jobs that run at present, of all properties, in one item of the table. */
import * as v from 'valibot';
import { keys } from '../../table/keys.ts';
import type { Table, WriteOutcome } from '../../table/table.ts';
import { versioned, type Versioned } from '../../table/versioned.ts';

/** A job that holds a slot, until an end (epoch milliseconds) if it never ends itself. */
export const slotHolder = v.object({
  property: v.number(),
  export: v.number(),
  job: v.number(),
  until: v.number(),
});
export type SlotHolder = v.InferOutput<typeof slotHolder>;

const slotsItem = v.object({ holders: v.array(slotHolder) });

/** The slots of the service. */
export interface ServiceSlots {
  slots(): Promise<Versioned<readonly SlotHolder[]> | undefined>;
  /** Replaces the holders; refused when another writer changed them since they were read. */
  storeSlots(
    seen: Versioned<readonly SlotHolder[]> | undefined,
    holders: readonly SlotHolder[],
  ): Promise<WriteOutcome>;
}

const parseSlots = versioned(slotsItem);

/** The slots in the table. */
export const serviceSlots = (table: Table): ServiceSlots => ({
  slots: async () => {
    const seen = parseSlots(await table.get(keys.exportSlots));
    return seen && { ...seen, value: seen.value.holders };
  },
  storeSlots: (seen, holders) => {
    const set = { holders: [...holders] };
    return table.write(
      seen
        ? { kind: 'update', key: keys.exportSlots, set, expect: { w: seen.w } }
        : { kind: 'insert', key: keys.exportSlots, set },
    );
  },
});
