import { keys, type Key } from '../../shared/table/keys.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import type { Attributes, StoredItem } from '../../shared/table/table.ts';
import { scope } from '../profiles/harness.ts';

/** The kinds of items that the protocol changes; all other items of the table stay constant. */
const movingKinds: ReadonlySet<string> = new Set(['profile', 'chunk', 'journal']);

/** A key as text. */
export const textOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

/** The place that says that a fill has announced everybody. */
export const filledKey = keys.task(scope.id, 'filled');

/** The list of conditions, and the sign that a fill has announced everybody. */
const movingItems: ReadonlySet<string> = new Set([keys.conditions(scope.id), filledKey].map(textOf));

/**
 * Whether an item may change during a scene: these kinds, these items, and the fact that decides segments. Directories
 * may, unless they exist from the beginning.
 */
export const isMoving = (key: Key): boolean =>
  key.pk === keys.brandPointer.pk || movingKinds.has(kindOfKey(key.pk)) || movingItems.has(textOf(key));
const cellKeys: Key[] = [];
const cells = new Map<string, number>();

/** The number of a key, the same in all scenes. */
export const cellOf = (key: Key): number => {
  const text = textOf(key);
  const known = cells.get(text) ?? cellKeys.length;
  if (known === cellKeys.length) {
    cellKeys.push({ pk: key.pk, sk: key.sk });
    cells.set(text, known);
  }
  return known;
};

export const keyOf = (cell: number): Key => {
  const key = cellKeys[cell];
  if (!key) throw new Error(`there is no cell ${cell}`);
  return key;
};

/** An item without its key and nonce, encoded as a number; 0 means no item. */
export type Item = number;

const shapes: Attributes[] = [{}];
const byText = new Map<string, number>();

/**
 * The number of an item with these attributes. Seals of chunks are left out: no segment of the scenes is deleted, and
 * the seals would multiply the states. `test/segments/empty-segments.test.ts` covers them.
 */
export const itemOf = (attributes: Attributes): Item => {
  const sorted = Object.entries(attributes)
    .filter(([name]) => name !== 'sealed')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify(sorted);
  const known = byText.get(text) ?? shapes.length;
  if (known === shapes.length) {
    shapes.push(Object.fromEntries(sorted));
    byText.set(text, known);
  }
  return known;
};

export const attributesOf = (item: Item): Attributes => shapes[item] ?? {};

const merged = new Map<number, Item>();

/** An item after an update. */
export const updated = (item: Item, set: Item): Item => {
  const pair = item * 2 ** 20 + set;
  const known = merged.get(pair) ?? itemOf({ ...attributesOf(item), ...attributesOf(set) });
  merged.set(pair, known);
  return known;
};

/** The item of a cell as a read returns it, with a nonce. */
export const storedAs = (cell: number, item: Item, w: string): StoredItem => ({
  ...attributesOf(item),
  ...keyOf(cell),
  w,
});

const journalCells = new Map<number, boolean>();

/** Whether a cell belongs to the journal. The model calls this function very often. */
export const isJournal = (cell: number): boolean => {
  const known = journalCells.get(cell) ?? kindOfKey(keyOf(cell).pk) === 'journal';
  journalCells.set(cell, known);
  return known;
};

/** The cell of the profile at an ordinal. */
export const profileCell = (property: number, ordinal: number): number =>
  cellOf(keys.profile(property, ordinal));
