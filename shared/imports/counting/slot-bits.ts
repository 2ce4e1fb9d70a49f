/** Slot bits: sets of slots of batches as bits, for the items that count each batch once. */
import * as v from 'valibot';
import type { Batch } from '../items/batch.ts';

/** How slots are spread over items: `perItem` slots for each, and consecutive slots over `spread` items. */
export interface SlotSpread {
  readonly perItem: number;
  readonly spread: number;
}

/** Chunks of a file, batches of records and retries have slots of their own. */
const kinds = { rows: 'F', records: 'R', corrections: 'C' } as const satisfies Record<
  Batch['source']['kind'],
  string
>;

/** The name of the item of a batch in its job. */
export const slotName = (
  { perItem, spread }: SlotSpread,
  { slot, source }: Pick<Batch, 'slot' | 'source'>,
): string => {
  const number = Math.floor(slot / (perItem * spread)) * spread + (slot % spread);
  return `${kinds[source.kind]}${number.toString().padStart(8, '0')}`;
};

/** Operations on the sets of slots of one item. */
export const bitSet = ({ perItem, spread }: SlotSpread) => {
  const bitOf = (slot: number): number => Math.floor(slot / spread) % perItem;
  const byteOf = (slot: number): number => bitOf(slot) >> 3;
  const maskOf = (slot: number): number => 1 << (bitOf(slot) & 7);
  return {
    schema: v.pipe(v.instance(Uint8Array), v.length(perItem / 8)),
    empty: (): Uint8Array<ArrayBuffer> => new Uint8Array(perItem / 8),
    has: (set: Uint8Array, slot: number): boolean => ((set[byteOf(slot)] ?? 0) & maskOf(slot)) !== 0,
    with: (set: Uint8Array, slot: number): Uint8Array<ArrayBuffer> => {
      const copy = Uint8Array.from(set);
      copy[byteOf(slot)] = (copy[byteOf(slot)] ?? 0) | maskOf(slot);
      return copy;
    },
  };
};
