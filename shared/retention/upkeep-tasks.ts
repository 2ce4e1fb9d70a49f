/**
 * Upkeep items: the list of standing work about the people of properties. A property with rules has an item for its people
 * and one for its files, which stay as long as the rules do; an erasure has one until it ends. The list of undo logs to
 * clean is another: a forgetting makes its item, and nobody waits for a receipt.
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { changeItem, type ChangeItemDeps } from '../table/change-item.ts';
import { keys, type Key } from '../table/keys.ts';
import type { Attributes, StoredItem, Table, WriteOutcome } from '../table/table.ts';

const whole = v.pipe(v.number(), v.safeInteger());

/** What every item has. `step` counts its writes, so that of two processes one goes on. Times are in epoch milliseconds. */
const common = { property: whole, step: whole };

/** A pass over all people of a property, for the rules about them. */
const peopleItem = v.object({
  ...common,
  kind: v.literal('people'),
  /** When the next pass begins. */
  due: v.number(),
  /** When the pass under way began. */
  began: v.nullable(v.number()),
  /** People below this ordinal have been visited. */
  at: whole,
  /** People who are being forgotten. */
  batch: v.array(whole),
  /** People whom this pass has forgotten. */
  forgotten: whole,
  /** The erasure that is the receipt of this pass. */
  erasure: v.nullable(whole),
});
export type PeopleItem = Readonly<v.InferOutput<typeof peopleItem>>;

/** A pass over the files of a property. */
const filesItem = v.object({
  ...common,
  kind: v.literal('files'),
  due: v.number(),
  /** Objects up to this key have been looked at. */
  after: v.string(),
});
export type FilesItem = Readonly<v.InferOutput<typeof filesItem>>;

/** The work of an erasure; its state is in its own item. */
const erasureWork = v.object({
  ...common,
  kind: v.literal('erasure'),
  erasure: whole,
  created: v.number(),
});
export type ErasureWork = Readonly<v.InferOutput<typeof erasureWork>>;

const upkeepItem = v.variant('kind', [peopleItem, filesItem, erasureWork]);
export type UpkeepItem = PeopleItem | FilesItem | ErasureWork;

/** An item of the list. */
export const parseUpkeep = (item: StoredItem): UpkeepItem => v.parse(upkeepItem, item);

/** The key of an item of the list. */
const upkeepKey = (item: UpkeepItem) =>
  keys.upkeep(item.property, item.kind === 'erasure' ? `erasure-${item.erasure}` : item.kind);

const SETTLE_MS = limits.rules.settleSeconds * 1_000;

/**
 * Lists the work that changed rules of a property make, from the beginning. It is due when nobody remembers the earlier
 * rules. A pass under way begins anew, but its receipt is still to come: whom it has forgotten counts. `now` is in
 * milliseconds.
 */
export const listUpkeep = async (deps: ChangeItemDeps, property: number, now: number): Promise<void> => {
  const due = now + SETTLE_MS;
  await listAnew(deps, keys.upkeep(property, 'people'), now, (earlier) => {
    const { batch, forgotten, erasure } = earlier?.kind === 'people' ? earlier : nobodyYet;
    const people = { began: null, at: 0, batch: [...batch], forgotten, erasure };
    return { property, kind: 'people', due, ...people };
  });
  const files = { property, kind: 'files', due, after: '' };
  await listAnew(deps, keys.upkeep(property, 'files'), now, () => files);
};

const nobodyYet = { batch: [], forgotten: 0, erasure: null };

/** Puts an item in place of an earlier one. No process that has read the earlier one can change it: its step differs. */
const listAnew = (
  deps: ChangeItemDeps,
  key: Key,
  now: number,
  anew: (earlier: UpkeepItem | undefined) => Attributes,
): Promise<void> =>
  changeItem(deps, { key, what: 'the upkeep of a property' }, (item) => {
    const earlier = item && parseUpkeep(item);
    const step = earlier ? Math.max(now, earlier.step + 1) : now;
    return { result: undefined, set: { ...anew(earlier), step } };
  });

/**
 * Puts off the passes over a property that are due or under way until a time (epoch milliseconds). In a restored table the
 * rules are those of then, and so is the time of each profile.
 */
export const postponeUpkeep = async (
  deps: ChangeItemDeps,
  property: number,
  until: number,
): Promise<void> => {
  for (const kind of ['people', 'files']) {
    await changeItem(deps, { key: keys.upkeep(property, kind), what: 'the upkeep of a property' }, (item) => {
      const known = item && parseUpkeep(item);
      if (!known || known.kind === 'erasure' || known.due >= until) return { result: undefined };
      return { result: undefined, set: { due: until, step: known.step + 1 } };
    });
  }
};

/** Lists the work of an erasure. A repeated request lists it once. `now` is in milliseconds. */
export const listErasure = async (
  table: Pick<Table, 'write'>,
  property: number,
  erasure: number,
  now: number,
): Promise<void> => {
  const item: ErasureWork = { property, kind: 'erasure', erasure, created: now, step: 0 };
  await table.write({ kind: 'insert', key: upkeepKey(item), set: { ...item } });
};

type Changed<Item> = Partial<Omit<Item, 'property' | 'kind' | 'step'>>;

/** Changes an item unless another process has changed it since it was read; undefined then. */
export const changeUpkeep = async <Item extends PeopleItem | FilesItem>(
  table: Pick<Table, 'write'>,
  item: Item,
  change: Changed<Item> & Attributes,
): Promise<Item | undefined> => {
  const set = { ...change, step: item.step + 1 };
  const outcome = await table.write({
    kind: 'update',
    key: upkeepKey(item),
    set,
    expect: { step: item.step },
  });
  return outcome === 'applied' ? { ...item, ...set } : undefined;
};

/** Takes an item off the list unless another process has changed it since it was read. */
export const endUpkeep = (table: Pick<Table, 'write'>, item: UpkeepItem): Promise<WriteOutcome> =>
  table.write({ kind: 'delete', key: upkeepKey(item), expect: { step: item.step } });
